namespace PerfLab.Runner.Terminals;

/// <summary>UTF-8 in, text out: for results that are too long to be one string. Leaves the writer open.</summary>
internal sealed class TextStream(TextWriter writer) : Stream
{
    private readonly Decoder _decoder = Encoding.UTF8.GetDecoder();
    private char[] _characters = new char[16 * 1024];

    public override bool CanRead => false;
    public override bool CanSeek => false;
    public override bool CanWrite => true;
    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        var most = Encoding.UTF8.GetMaxCharCount(buffer.Length);
        if (_characters.Length < most)
        {
            _characters = new char[most];
        }

        writer.Write(_characters.AsSpan(0, _decoder.GetChars(buffer, _characters, flush: false)));
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Flush() => writer.Flush();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
