namespace PerfLab.Launching.Proof.Traces;

/// <summary>
/// Reads a .nettrace file as hostile input, as a stream: every length is checked, nothing is remembered but kinds of events and numbers of
/// threads. The tests hold it against TraceEvent, the runtime team's own reader, which trusts its input (docs/decisions/0007-evidence.md).
/// </summary>
internal sealed class NetTraceFile
{
    private const int NullReference = 1, BeginObject = 5, EndObject = 6;
    private const int LargestBlock = 64 << 20;
    private const int MostKinds = 1 << 16;
    private const int LongestProvider = 1024;

    private readonly TraceStream _stream;
    private readonly TraceEventHandler _handle;
    private readonly Dictionary<uint, TraceEventKind> _kinds = [];
    private readonly LostEvents _lost = new();
    private long _events;
    private long _startTicks;
    private double _ticksPerMillisecond = 1e6;
    private long _lastTicks;

    private NetTraceFile(Stream stream, TraceEventHandler handle) => (_stream, _handle) = (new(stream), handle);

    /// <summary>Hands over every event, thread by thread in order; never throws for what the bytes are.</summary>
    public static TraceReading Read(Stream stream, TraceEventHandler handle)
    {
        var file = new NetTraceFile(stream, handle);
        var (end, problem) = file.ReadAll();
        var duration = Math.Clamp((file._lastTicks - file._startTicks) / file._ticksPerMillisecond, 0, TimeSpan.MaxValue.TotalMilliseconds / 2);
        return new(end, problem, file._stream.Position, file._events, file._lost.Count, TimeSpan.FromMilliseconds(duration));
    }

    private (TraceEnd End, string? Problem) ReadAll()
    {
        var magic = _stream.Read(8);
        if (magic.Length == 0)
        {
            return (TraceEnd.Empty, "the trace is empty: the process ended before the runtime wrote anything");
        }

        if (!magic.SequenceEqual("Nettrace"u8[..magic.Length]))
        {
            return (TraceEnd.Foreign, "this is not a .nettrace file: it does not begin with 'Nettrace'");
        }

        var length = _stream.Read(4);
        if (length is [0, 0, 0, 0])
        {
            return (TraceEnd.Foreign, "this .nettrace file has a format of version 6 or later; this reader knows 4 and 5, which runtimes write");
        }

        if (magic.Length < 8 || length.Length < 4 || !_stream.Read(20).SequenceEqual("!FastSerialization.1"u8))
        {
            return _stream.AtEnd ? Truncated() : (TraceEnd.Foreign, "this is not a .nettrace file: its second line is not '!FastSerialization.1'");
        }

        return ReadObjects();
    }

    private (TraceEnd End, string? Problem) ReadObjects()
    {
        while (true)
        {
            var tag = _stream.Byte();
            if (tag == NullReference)
            {
                return (TraceEnd.Whole, null);
            }

            if (tag != BeginObject)
            {
                return tag < 0 ? Truncated() : Damaged("no object begins here");
            }

            if (ReadName() is not { } name)
            {
                return _stream.AtEnd ? Truncated() : Damaged("an object has no readable name");
            }

            var problem = name == "Trace" ? ReadHeader() : ReadBlock(name);
            if (problem is not null)
            {
                return _stream.AtEnd ? Truncated() : Damaged(problem);
            }

            if (_stream.Byte() is var last && last != EndObject)
            {
                return last < 0 ? Truncated() : Damaged($"an object of type {name} does not end where it says");
            }
        }
    }

    /// <summary>The type of an object: tags, two versions, a name of a few characters.</summary>
    private string? ReadName()
    {
        var type = new ByteCursor(_stream.Read(14));
        var begins = type.UInt8() == BeginObject && type.UInt8() == NullReference;
        type.Take(8); // version, oldest reader
        var length = type.Int32();
        if (type.Overrun || !begins || length is < 1 or > 64)
        {
            return null;
        }

        var name = _stream.Read(length);
        return name.Length == length && name.IndexOfAnyExceptInRange((byte)'0', (byte)'z') < 0
            && Encoding.ASCII.GetString(name) is var text && _stream.Byte() == EndObject ? text : null;
    }

    private string? ReadHeader()
    {
        var header = new ByteCursor(_stream.Read(48));
        header.Take(16); // wall clock
        _startTicks = _lastTicks = header.Int64();
        var perSecond = header.Int64();
        if (header.Overrun || perSecond <= 0)
        {
            return "the header has no clock";
        }

        _ticksPerMillisecond = perSecond / 1000.0;
        return null;
    }

    private string? ReadBlock(string name)
    {
        var size = new ByteCursor(_stream.Read(4)).Int32();
        if (size is < 0 or > LargestBlock)
        {
            return Invariant($"a block of type {name} claims {size} bytes");
        }

        _stream.AlignTo4();
        var block = _stream.Read(size);
        if (block.Length < size)
        {
            return "the block is cut";
        }

        return name switch
        {
            "EventBlock" => ReadEvents(block),
            "MetadataBlock" => ReadKinds(block),
            "SPBlock" => ReadSequencePoint(block),
            _ => null, // stacks, and what later versions add
        };
    }

    private string? ReadEvents(ReadOnlySpan<byte> block)
    {
        var blobs = new EventBlobs(block);
        while (blobs.MoveNext())
        {
            var header = blobs.Header;
            if (!_kinds.TryGetValue(header.MetadataId & int.MaxValue, out var kind))
            {
                return Invariant($"an event is of kind {header.MetadataId}, which was not declared");
            }

            if (!_lost.Saw(header.CaptureThreadId, header.Sequence))
            {
                return "more threads than a machine can have";
            }

            (_events, _lastTicks) = (_events + 1, Math.Max(_lastTicks, header.Timestamp));
            _handle(new()
            {
                Kind = kind,
                ThreadId = header.ThreadId,
                Milliseconds = (header.Timestamp - _startTicks) / _ticksPerMillisecond,
                Payload = blobs.Payload,
            });
        }

        return blobs.Damaged ? "an event reaches beyond its block" : null;
    }

    private string? ReadKinds(ReadOnlySpan<byte> block)
    {
        var blobs = new EventBlobs(block);
        while (blobs.MoveNext())
        {
            var payload = new ByteCursor(blobs.Payload);
            var number = (uint)payload.Int32();
            var provider = payload.Utf16();
            var id = payload.Int32();
            payload.Utf16(); // name
            payload.Take(8); // keywords
            var version = payload.Int32();
            if (payload.Overrun || _kinds.Count >= MostKinds || provider.Length > LongestProvider)
            {
                return "a kind of event is not declared as it should be";
            }

            _kinds[number] = new(Encoding.Unicode.GetString(provider), id, version);
        }

        return blobs.Damaged ? "a declaration reaches beyond its block" : null;
    }

    private string? ReadSequencePoint(ReadOnlySpan<byte> block)
    {
        var point = new ByteCursor(block);
        point.Take(8); // time
        var threads = point.Int32();
        for (var number = 0; number < threads && !point.Overrun; number++)
        {
            var thread = point.Int64();
            if (!_lost.Checkpoint(thread, (uint)point.Int32()))
            {
                return "more threads than a machine can have";
            }
        }

        return point.Overrun ? "a sequence point is cut" : null;
    }

    private (TraceEnd End, string Problem) Truncated() => (TraceEnd.Truncated, Invariant($"the trace stops in the middle, after {_stream.Position} bytes"));

    private (TraceEnd End, string Problem) Damaged(string what) => (TraceEnd.Damaged, Invariant($"the trace is damaged before byte {_stream.Position}: {what}"));
}
