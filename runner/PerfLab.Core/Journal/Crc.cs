using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace PerfLab.Core.Journal;

/// <summary>CRC-32C (Castagnoli, RFC 3720 appendix B.4); the check value of "123456789" is e3069283.</summary>
public static class Crc
{
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static uint Compute(ReadOnlySpan<byte> bytes)
    {
        var crc = uint.MaxValue;
        var words = MemoryMarshal.Cast<byte, ulong>(bytes);
        foreach (var word in words)
        {
            crc = BitOperations.Crc32C(crc, BitConverter.IsLittleEndian ? word : BinaryPrimitives.ReverseEndianness(word));
        }

        foreach (var value in bytes[(words.Length * sizeof(ulong))..])
        {
            crc = BitOperations.Crc32C(crc, value);
        }

        return ~crc;
    }

    /// <summary>Eight lower-case hexadecimal digits.</summary>
    public static string Text(ReadOnlySpan<byte> bytes) => Compute(bytes).ToString("x8", CultureInfo.InvariantCulture);
}
