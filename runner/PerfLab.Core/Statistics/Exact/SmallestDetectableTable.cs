namespace PerfLab.Core.Statistics.Exact;

/// <summary>
/// The change that is flagged with 80 % power, in units of noise: rows by pairs, columns by ln(1 + margin) / noise. Printed by
/// <c>PerfLab.Calibration --detectable --seed 20260101 --cells 1000000</c>: normal noise, the default policy, the other pairs unchanged.
/// </summary>
public static class SmallestDetectableTable
{
    public const ulong Seed = 20260101;
    public const int SimulatedCells = 1_000_000;

    /// <summary>The centre of 20 rounds scatters: 80 % power needs this much of the noise beyond the margin.</summary>
    public const double CentreAllowance = 0.19;

    public static IReadOnlyList<int> Pairs { get; } = [1, 5, 20, 50, 200, 500, 2000];

    public static IReadOnlyList<double> MarginToNoise { get; } = [0, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2];

    /// <summary>8 screen rounds, then 20 confirm rounds for the pairs that are kept.</summary>
    public static IReadOnlyList<IReadOnlyList<double>> Screened { get; } =
    [
        [1.087, 1.088, 1.131, 1.206, 1.271, 1.345, 1.469, 1.700, 2.194], // 1
        [1.094, 1.094, 1.133, 1.206, 1.271, 1.345, 1.469, 1.700, 2.194], // 5
        [1.114, 1.114, 1.142, 1.208, 1.271, 1.345, 1.469, 1.700, 2.194], // 20
        [1.142, 1.142, 1.159, 1.213, 1.273, 1.346, 1.470, 1.700, 2.194], // 50
        [1.216, 1.216, 1.220, 1.246, 1.289, 1.352, 1.471, 1.700, 2.194], // 200
        [1.281, 1.281, 1.282, 1.294, 1.320, 1.369, 1.476, 1.701, 2.194], // 500
        [1.413, 1.413, 1.413, 1.415, 1.422, 1.443, 1.511, 1.707, 2.194], // 2000
    ];

    /// <summary>No screen, 20 rounds for every pair, two-sided.</summary>
    public static IReadOnlyList<IReadOnlyList<double>> Straight { get; } =
    [
        [0.859, 0.862, 0.961, 1.095, 1.194, 1.294, 1.443, 1.693, 2.193], // 1
        [1.026, 1.026, 1.048, 1.123, 1.204, 1.296, 1.444, 1.694, 2.193], // 5
        [1.183, 1.183, 1.187, 1.211, 1.254, 1.320, 1.450, 1.694, 2.193], // 20
        [1.311, 1.311, 1.312, 1.318, 1.336, 1.375, 1.472, 1.697, 2.194], // 50
        [1.482, 1.482, 1.482, 1.483, 1.486, 1.497, 1.545, 1.716, 2.194], // 200
        [1.629, 1.629, 1.629, 1.629, 1.629, 1.631, 1.649, 1.759, 2.196], // 500
        [1.983, 1.983, 1.983, 1.983, 1.983, 1.983, 1.984, 1.995, 2.242], // 2000
    ];
}
