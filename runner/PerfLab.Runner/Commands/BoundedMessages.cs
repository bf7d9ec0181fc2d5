using System.Text.RegularExpressions;

namespace PerfLab.Runner.Commands;

/// <summary>
/// Lines of at most a mebibyte. A longer one is read to its end, kept nowhere, and replaced by a call of a method that nobody has: the
/// sender gets an error under the number of its message, where that stands at the beginning, and the next message is read as always.
/// </summary>
internal sealed partial class BoundedMessages(Stream inner) : Stream
{
    public const int MostBytes = 1 << 20;
    private const int LongestBeginning = 4096;
    private const byte End = (byte)'\n';

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

    /// <summary>Of the message only its beginning is here.</summary>
    private byte[] TooLong()
    {
        var begun = Encoding.UTF8.GetString(_line.GetBuffer(), 0, (int)Math.Min(_line.Length, LongestBeginning));
        var id = Number().Match(begun) is { Success: true } found ? found.Groups["id"].Value : "\"too-long\"";
        return Encoding.ASCII.GetBytes($"{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"a message has at most 1 MiB\"}}\n");
    }

    [GeneratedRegex("\"id\"\\s*:\\s*(?<id>[0-9]{1,15}|\"[A-Za-z0-9_-]{1,64}\")", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Number();

    private void Take()
    {
        var rest = _read.AsSpan(_unread.At.._unread.Length);
        var end = rest.IndexOf(End);
        var part = end < 0 ? rest : rest[..(end + 1)];
        _unread.At += part.Length;
        _isTooLong |= _line.Length + part.Length > MostBytes;
        if (!_isTooLong || _line.Length < LongestBeginning)
        {
            _line.Write(part);
        }

        if (end >= 0)
        {
            foreach (var one in _isTooLong ? TooLong() : _line.ToArray())
            {
                _ready.Enqueue(one);
            }

            _line.SetLength(0);
            _isTooLong = false;
        }
    }
}
