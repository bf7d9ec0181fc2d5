namespace PerfLab.Runner.Agents;

/// <summary>
/// Lines of at most a mebibyte. A longer one is read to its end, kept nowhere, and replaced by a call of a method that nobody has: the
/// sender gets an error that names it, and the next message is read as always.
/// </summary>
internal sealed class BoundedMessages(Stream inner) : Stream
{
    public const int MostBytes = 1 << 20;
    private const byte End = (byte)'\n';

    private static readonly byte[] TooLong = Encoding.ASCII.GetBytes(
        "{\"jsonrpc\":\"2.0\",\"id\":\"too-long\",\"method\":\"a message has at most 1 MiB\"}\n");

    private readonly byte[] _read = new byte[1 << 16];
    private readonly MemoryStream _line = new();
    private readonly Queue<byte> _ready = new();
    private (int At, int Length) _unread;
    private bool _isTooLong;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (_ready.Count == 0)
        {
            if (_unread.At == _unread.Length)
            {
                _unread = (0, await inner.ReadAsync(_read, cancellationToken));
                if (_unread.Length == 0)
                {
                    return 0;
                }
            }

            Take();
        }

        var count = Math.Min(buffer.Length, _ready.Count);
        for (var at = 0; at < count; at++)
        {
            buffer.Span[at] = _ready.Dequeue();
        }

        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) =>
        ReadAsync(buffer.AsMemory(offset, count)).AsTask().GetAwaiter().GetResult();

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    private void Take()
    {
        var rest = _read.AsSpan(_unread.At.._unread.Length);
        var end = rest.IndexOf(End);
        var part = end < 0 ? rest : rest[..(end + 1)];
        _unread.At += part.Length;
        _isTooLong |= _line.Length + part.Length > MostBytes;
        if (!_isTooLong)
        {
            _line.Write(part);
        }

        if (end >= 0)
        {
            foreach (var one in _isTooLong ? TooLong : _line.ToArray())
            {
                _ready.Enqueue(one);
            }

            _line.SetLength(0);
            _isTooLong = false;
        }
    }
}
