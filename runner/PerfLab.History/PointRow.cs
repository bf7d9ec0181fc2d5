using System.Buffers.Binary;
using System.Runtime.InteropServices;
using PerfLab.Core.Trends;

namespace PerfLab.History;

/// <summary>How a point lies in its table, and how it is found again.</summary>
internal static class PointRow
{
    /// <summary>In the order of <see cref="Values"/>, each with a value of its type.</summary>
    public static IReadOnlyList<(string Name, object Sample)> Columns { get; } =
    [
        ("series", 0), ("started", 0L), ("session", 0), ("place", 0), ("is_primary", 0), ("commit_name", ""), ("reference_name", ""),
        ("change", 0.0), ("low", 0.0), ("high", 0.0), ("p", 0.0), ("noise", 0.0), ("rounds", 0), ("verdict", ""),
        ("reference_value", 0.0), ("arm_value", 0.0), ("launch_values", Array.Empty<byte>()),
    ];

    public static object?[] Values((long Series, long Session, long Started, int Place) at, SessionPoint point)
    {
        var row = point.Row;
        return
        [
            (int)at.Series, at.Started, (int)at.Session, at.Place, row.Primary ? 1 : 0, Text(SeriesName.CommitOf(point.Arm)),
            row.Reference is null ? null : Text(SeriesName.CommitOf(point.Cell.Reference)),
            point.LogChange, point.LogLow, point.LogHigh, row.PValue, row.Noise, row.Rounds,
            row.Verdict is { } verdict ? Core.Files.Words.Of(verdict) : null, row.ReferenceValue, row.ArmValue,
            Pack(point.ReferenceValues, point.ArmValues),
        ];
    }

    /// <summary>A text that both databases take: PostgreSQL has no character 0.</summary>
    public static string? Text(string? text) => text?.Replace('\0', '\uFFFD');

    /// <summary>How many are the reference's, those, and the arm's, in the order of the rounds.</summary>
    private static byte[] Pack(IReadOnlyList<double> reference, IReadOnlyList<double> arm)
    {
        var packed = new byte[sizeof(int) + (sizeof(double) * (reference.Count + arm.Count))];
        BinaryPrimitives.WriteInt32LittleEndian(packed, reference.Count);
        double[] all = [.. reference, .. arm];
        MemoryMarshal.AsBytes(all.AsSpan()).CopyTo(packed.AsSpan(sizeof(int)));
        return packed;
    }

    public static (double[] Reference, double[] Arm) Unpack(byte[] packed)
    {
        var reference = BinaryPrimitives.ReadInt32LittleEndian(packed);
        var all = MemoryMarshal.Cast<byte, double>(packed.AsSpan(sizeof(int)).ToArray().AsSpan());
        return (all[..reference].ToArray(), all[reference..].ToArray());
    }
}
