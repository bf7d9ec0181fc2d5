using System.Buffers.Binary;

namespace PerfLab.Launching.Proof.Traces;

/// <summary>
/// Walks over bytes that nobody vouches for: after the first read beyond the end, <see cref="Overrun"/> is set and everything reads as zero.
/// </summary>
internal ref struct ByteCursor(ReadOnlySpan<byte> bytes)
{
    private ReadOnlySpan<byte> _rest = bytes;

    public bool Overrun { get; private set; }

    public readonly int Left => _rest.Length;

    public ReadOnlySpan<byte> Take(int count)
    {
        if (count < 0 || count > _rest.Length)
        {
            Overrun = true;
            _rest = default;
            return default;
        }

        var taken = _rest[..count];
        _rest = _rest[count..];
        return taken;
    }

    public byte UInt8() => Take(1) is [var value] ? value : (byte)0;

    public ushort UInt16() => Take(2) is { Length: 2 } bytes ? BinaryPrimitives.ReadUInt16LittleEndian(bytes) : (ushort)0;

    public int Int32() => Take(4) is { Length: 4 } bytes ? BinaryPrimitives.ReadInt32LittleEndian(bytes) : 0;

    public long Int64() => Take(8) is { Length: 8 } bytes ? BinaryPrimitives.ReadInt64LittleEndian(bytes) : 0;

    public uint VarUInt32() => (uint)VarUInt(mostBytes: 5);

    public ulong VarUInt64() => VarUInt(mostBytes: 10);

    /// <summary>The UTF-16 characters up to a zero, as bytes; the zero is taken, too.</summary>
    public ReadOnlySpan<byte> Utf16()
    {
        for (var length = 0; length + 1 < _rest.Length; length += 2)
        {
            if ((_rest[length] | _rest[length + 1]) == 0)
            {
                var text = Take(length);
                Take(2);
                return text;
            }
        }

        return Take(_rest.Length + 1);
    }

    private ulong VarUInt(int mostBytes)
    {
        ulong value = 0;
        for (var number = 0; number < mostBytes; number++)
        {
            var next = UInt8();
            value |= (ulong)(next & 0x7f) << (7 * number);
            if (next < 0x80)
            {
                return value;
            }
        }

        Take(_rest.Length + 1);
        return 0;
    }
}
