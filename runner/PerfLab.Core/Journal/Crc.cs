using System.Globalization;
using System.Numerics;

namespace PerfLab.Core.Journal;

/// <summary>CRC-32C (Castagnoli, RFC 3720 appendix B.4); the check value of "123456789" is e3069283.</summary>
public static class Crc
{
    public static uint Compute(ReadOnlySpan<byte> bytes)
    {
        var crc = uint.MaxValue;
        foreach (var value in bytes)
        {
            crc = BitOperations.Crc32C(crc, value);
        }

        return ~crc;
    }

    /// <summary>Eight lower-case hexadecimal digits.</summary>
    public static string Text(ReadOnlySpan<byte> bytes) => Compute(bytes).ToString("x8", CultureInfo.InvariantCulture);
}
