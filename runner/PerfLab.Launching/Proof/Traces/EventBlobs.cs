using System.Runtime.InteropServices;

namespace PerfLab.Launching.Proof.Traces;

/// <summary>The head of one event as a block encodes it: what is left out is as in the event before.</summary>
[StructLayout(LayoutKind.Auto)]
internal struct BlobHeader
{
    public uint MetadataId;
    public uint Sequence;
    public long CaptureThreadId;
    public long ThreadId;
    public long Timestamp;
    public uint PayloadSize;
}

/// <summary>
/// Walks over the events of a block. Format: github.com/microsoft/perfview, NetTraceFormat_v5.md, "Header compression".
/// </summary>
internal ref struct EventBlobs
{
    private const int CompressedHeaders = 1;
    private ByteCursor _bytes;
    private BlobHeader _header;

    public EventBlobs(ReadOnlySpan<byte> block)
    {
        _bytes = new(block);
        var size = _bytes.UInt16();
        var flags = _bytes.UInt16();
        _bytes.Take(size - 4);
        // Headers without compression are in the format, but no runtime writes them.
        Damaged = _bytes.Overrun || (flags & CompressedHeaders) == 0;
    }

    /// <summary>The block can't be read on.</summary>
    public bool Damaged { get; private set; }

    public readonly BlobHeader Header => _header;

    public ReadOnlySpan<byte> Payload { get; private set; }

    public bool MoveNext()
    {
        if (Damaged || _bytes.Left == 0)
        {
            return false;
        }

        ReadHeader();
        Payload = _bytes.Take((int)Math.Min(_header.PayloadSize, int.MaxValue));
        Damaged = _bytes.Overrun;
        return !Damaged;
    }

    private void ReadHeader()
    {
        var present = _bytes.UInt8();
        if ((present & 1) != 0)
        {
            _header.MetadataId = _bytes.VarUInt32();
        }

        if ((present & 2) != 0)
        {
            _header.Sequence = unchecked(_header.Sequence + _bytes.VarUInt32());
            _header.CaptureThreadId = (long)_bytes.VarUInt64();
            _bytes.VarUInt32(); // processor
        }

        if (_header.MetadataId != 0)
        {
            _header.Sequence = unchecked(_header.Sequence + 1);
        }

        if ((present & 4) != 0)
        {
            _header.ThreadId = (long)_bytes.VarUInt64();
        }

        if ((present & 8) != 0)
        {
            _bytes.VarUInt32(); // stack
        }

        _header.Timestamp = unchecked(_header.Timestamp + (long)_bytes.VarUInt64());
        _bytes.Take(((present & 16) != 0 ? 16 : 0) + ((present & 32) != 0 ? 16 : 0)); // activities
        if ((present & 128) != 0)
        {
            _header.PayloadSize = _bytes.VarUInt32();
        }
    }
}
