using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Steady;

/// <summary>
/// What <see cref="RankCusum"/>'s statistic exceeds in one of a hundred random orders. It depends on the number of values alone; no formula is
/// known, so the table was simulated once (PerfLab.Calibration --cusum) and is read by interpolation. A test simulates it again.
/// </summary>
public static class RankCusumBound
{
    public const ulong Seed = 20260101;
    public const int Permutations = 200_000;

    private static readonly (int Count, double Bound)[] Table =
    [
        (8, 2.3094), (9, 2.4495), (10, 2.5584), (11, 2.6458), (12, 2.7175), (13, 2.7775), (14, 2.8284), (16, 2.9104), (18, 2.9321), (20, 2.9716),
        (24, 3.0448), (28, 3.1021), (32, 3.1399), (40, 3.2122), (50, 3.2623), (64, 3.3298), (80, 3.3600), (100, 3.4033), (130, 3.4585), (160, 3.4820),
        (200, 3.5147), (280, 3.5574), (400, 3.5935),
    ];

    /// <summary>The lengths that were simulated.</summary>
    public static IReadOnlyList<int> Counts { get; } = [.. Table.Select(entry => entry.Count)];

    public static double Of(int count)
    {
        var above = Array.FindIndex(Table, entry => entry.Count >= count);
        if (above <= 0)
        {
            return above == 0 ? Table[0].Bound : Table[^1].Bound;
        }

        var (low, high) = (Table[above - 1], Table[above]);
        var share = Math.Log((double)count / low.Count) / Math.Log((double)high.Count / low.Count);
        return low.Bound + (share * (high.Bound - low.Bound));
    }

    /// <summary>One entry of the table.</summary>
    public static double Simulate(int count, int permutations, ulong seed)
    {
        var random = SeededRandom.For(seed, System.FormattableString.Invariant($"rank cusum {count}"));
        var values = Enumerable.Range(1, count).Select(value => (double)value).ToArray();
        var statistics = new double[permutations];
        for (var i = 0; i < permutations; i++)
        {
            statistics[i] = RankCusum.Statistic([.. random.Shuffle(values)]);
        }

        Array.Sort(statistics);
        return statistics[(int)(permutations * (1 - RankCusum.Level)) - 1];
    }
}
