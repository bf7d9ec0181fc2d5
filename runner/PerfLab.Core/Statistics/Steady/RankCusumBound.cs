using System.Runtime.InteropServices;

namespace PerfLab.Core.Statistics.Steady;

/// <summary>
/// What <see cref="RankCusum"/>'s statistic exceeds in one of a hundred random orders, and in one of a thousand. It depends on the number
/// of values alone; no formula is known, so the table was simulated once (PerfLab.Calibration --cusum) and is read by interpolation. A
/// test simulates it again.
/// </summary>
public static class RankCusumBound
{
    /// <summary>Share of random orders beyond the second column.</summary>
    public const double Rare = 0.001;

    // Of eight values no order is rarer than 2 in 70, so their bound is rounded up: it is never exceeded.
    private static readonly (int Count, double Bound, double RareBound)[] Table =
    [
        (8, 2.3095, 2.3095), (9, 2.4495, 2.4495), (10, 2.5584, 2.6112), (11, 2.6458, 2.7387), (12, 2.7175, 2.8824),
        (13, 2.7775, 3.0000), (14, 2.8284, 3.0984), (16, 2.9104, 3.2540), (18, 2.9321, 3.3057), (20, 2.9716, 3.3809),
        (24, 3.0448, 3.5052), (28, 3.1021, 3.5481), (32, 3.1399, 3.6240), (40, 3.2122, 3.7086), (50, 3.2623, 3.7581),
        (64, 3.3298, 3.8685), (80, 3.3600, 3.8874), (100, 3.4033, 3.9494), (130, 3.4585, 4.0309), (160, 3.4820, 4.0365),
        (200, 3.5147, 4.0754), (280, 3.5574, 4.1304), (400, 3.5935, 4.1646),
    ];

    /// <summary>The lengths that were simulated.</summary>
    public static IReadOnlyList<int> Counts { get; } = [.. Table.Select(entry => entry.Count)];

    /// <summary>Exceeded in one of a hundred random orders.</summary>
    public static double Of(int count) => Read(count).Bound;

    /// <summary>Exceeded in one of a thousand.</summary>
    public static double RareOf(int count) => Read(count).Rare;

    /// <summary>
    /// Chance of a larger statistic when nothing changed. Exact at the two columns; between and beyond them the logarithm of the chance
    /// falls with the square of the statistic, as it does for sums of ranks. At least 0.01 (and at most 1) below the first column, where
    /// nobody asks. Of few values no order is rarer than some: there the chance stays where the table ends.
    /// </summary>
    public static double PValue(double statistic, int count)
    {
        var (bound, rare) = Read(count);
        if (rare - bound < 1e-9)
        {
            return statistic > bound ? Rare : 1;
        }

        var perSquare = Math.Log(RankCusum.Level / Rare) / ((rare * rare) - (bound * bound));
        return Math.Min(1, RankCusum.Level * Math.Exp(-perSquare * ((statistic * statistic) - (bound * bound))));
    }

    private static Bounds Read(int count)
    {
        var above = Array.FindIndex(Table, entry => entry.Count >= count);
        if (above <= 0)
        {
            var end = above == 0 ? Table[0] : Table[^1];
            return new(end.Bound, end.RareBound);
        }

        var (low, high) = (Table[above - 1], Table[above]);
        var share = Math.Log((double)count / low.Count) / Math.Log((double)high.Count / low.Count);
        return new(low.Bound + (share * (high.Bound - low.Bound)), low.RareBound + (share * (high.RareBound - low.RareBound)));
    }

    [StructLayout(LayoutKind.Auto)]
    private readonly record struct Bounds(double Bound, double Rare);
}
