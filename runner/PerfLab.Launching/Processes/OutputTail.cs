namespace PerfLab.Launching.Processes;

/// <summary>The last bytes of what a program printed, in bounded memory, whatever and however much it prints.</summary>
internal sealed class OutputTail
{
    public const int Lines = 20;
    public const int Characters = 4_000;

    // UTF-8 needs at most four bytes a character; one more keeps a cut sequence at the front from mattering.
    private readonly byte[] ring = new byte[(Characters * 4) + 4];
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

    /// <summary>At most the last 20 lines and 4,000 characters; bytes that are no UTF-8 become U+FFFD.</summary>
    public string Text()
    {
        var bytes = Total < ring.Length ? ring[..next] : [.. ring[next..], .. ring[..next]];
        var text = Encoding.UTF8.GetString(bytes);
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
