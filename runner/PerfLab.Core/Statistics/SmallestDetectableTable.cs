namespace PerfLab.Core.Statistics;

/// <summary>
/// Smallest detectable change in units of noise, rows by pairs, columns by ln(1 + margin) / noise.
/// </summary>
internal static class SmallestDetectableTable
{
    /// <summary>The centre of 20 rounds scatters: 80 % power needs this much of the noise beyond the margin.</summary>
    public const double CentreAllowance = 0.19;

    public static readonly int[] Pairs = [20, 50, 200, 500];

    public static readonly double[] MarginToNoise = [0, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2];

    public static readonly double[][] Screened =
    [
        [1.11, 1.11, 1.14, 1.21, 1.27, 1.35, 1.47, 1.70, 2.19],
        [1.14, 1.14, 1.16, 1.21, 1.27, 1.35, 1.47, 1.70, 2.19],
        [1.22, 1.22, 1.22, 1.25, 1.29, 1.35, 1.47, 1.70, 2.19],
        [1.28, 1.28, 1.28, 1.29, 1.32, 1.37, 1.48, 1.70, 2.19],
    ];

    public static readonly double[][] Straight = Screened;
}
