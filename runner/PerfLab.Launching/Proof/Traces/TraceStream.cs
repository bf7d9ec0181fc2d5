namespace PerfLab.Launching.Proof.Traces;

/// <summary>Bytes from a stream into one buffer that grows only as far as there really are bytes to put into it.</summary>
internal sealed class TraceStream(Stream stream)
{
    private const int Step = 1 << 20;
    private byte[] _buffer = new byte[4096];

    public long Position { get; private set; }

    /// <summary>A read got less than it asked for.</summary>
    public bool AtEnd { get; private set; }

    /// <summary>The next bytes, fewer at the end; valid until the next read.</summary>
    public ReadOnlySpan<byte> Read(int count)
    {
        var have = 0;
        while (have < count)
        {
            var ask = Math.Min(count - have, Step);
            if (_buffer.Length < have + ask)
            {
                Array.Resize(ref _buffer, Math.Max(have + ask, Math.Min(2 * _buffer.Length, count)));
            }

            var got = stream.ReadAtLeast(_buffer.AsSpan(have, ask), ask, throwOnEndOfStream: false);
            have += got;
            if (got < ask)
            {
                AtEnd = true;
                break;
            }
        }

        Position += have;
        return _buffer.AsSpan(0, have);
    }

    /// <summary>The next byte, or -1 at the end.</summary>
    public int Byte() => Read(1) is [var value] ? value : -1;

    public void AlignTo4() => Read((int)((4 - (Position % 4)) % 4));
}
