namespace PerfLab.Launching;

/// <summary>The last bytes of what a launch printed, in bounded memory, whatever and however much it prints.</summary>
/// <param name="characters">How many are kept at least. More than are shown, where the line that says why may not be among the last.</param>
internal sealed class OutputTail(int characters = OutputTail.Characters)
{
    public const int Lines = 20;
    public const int Characters = 4_000;

    // UTF-8 needs at most four bytes a character; one more keeps a cut sequence at the front from mattering.
    private readonly byte[] ring = new byte[(characters * 4) + 4];
    private int next;

    /// <summary>Bytes seen, also those forgotten.</summary>
    public long Total { get; private set; }

    public void Add(ReadOnlySpan<byte> bytes)
    {
        Total += bytes.Length;
        if (bytes.Length > ring.Length)
        {
            bytes = bytes[^ring.Length..];
        }

        var first = Math.Min(bytes.Length, ring.Length - next);
        bytes[..first].CopyTo(ring.AsSpan(next));
        bytes[first..].CopyTo(ring);
        next = (next + bytes.Length) % ring.Length;
    }

    /// <summary>Everything that is kept; bytes that are no UTF-8 become U+FFFD.</summary>
    public string All() => Encoding.UTF8.GetString(Total < ring.Length ? ring[..next] : [.. ring[next..], .. ring[..next]]);

    /// <summary>At most the last 20 lines and 4,000 characters.</summary>
    public string Text() => Last(All());

    /// <summary>The same of any text.</summary>
    public static string Last(string text)
    {
        if (text.Length > Characters)
        {
            text = text[^Characters..];
            text = char.IsLowSurrogate(text[0]) ? text[1..] : text;
        }

        var lines = text.Split('\n');
        var keep = Lines + (text.EndsWith('\n') ? 1 : 0);
        return lines.Length <= keep ? text : string.Join('\n', lines[^keep..]);
    }
}

/// <summary>Looks for one phrase in a stream that comes in pieces.</summary>
internal sealed class PhraseWatch(string phrase)
{
    private readonly byte[] wanted = Encoding.UTF8.GetBytes(phrase);
    private byte[] carried = [];

    public bool Seen { get; private set; }

    public void Add(ReadOnlySpan<byte> bytes)
    {
        if (Seen)
        {
            return;
        }

        var seam = (byte[])[.. carried, .. bytes[..Math.Min(bytes.Length, wanted.Length)]];
        Seen = seam.AsSpan().IndexOf(wanted) >= 0 || bytes.IndexOf(wanted) >= 0;
        var end = bytes.Length >= wanted.Length ? bytes : seam;
        carried = end[Math.Max(0, end.Length - wanted.Length + 1)..].ToArray();
    }
}
