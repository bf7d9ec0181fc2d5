using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Calibration;

/// <summary>Simulates the table of <see cref="RankCusumBound"/>.</summary>
public static class RankCusumSimulation
{
    public const ulong Seed = 20260101;
    public const int Permutations = 200_000;

    /// <summary>One entry of the table: what one random order in a hundred exceeds, and one in a thousand.</summary>
    public static (double Bound, double Rare) Bounds(int count, int permutations, ulong seed)
    {
        var random = SeededRandom.For(seed, FormattableString.Invariant($"rank cusum {count}"));
        var values = Enumerable.Range(1, count).Select(value => (double)value).ToArray();
        var statistics = new double[permutations];
        for (var i = 0; i < permutations; i++)
        {
            statistics[i] = RankCusum.Statistic([.. random.Shuffle(values)]);
        }

        Array.Sort(statistics);
        return (Quantile(RankCusum.Level), Quantile(RankCusumBound.Rare));

        double Quantile(double share) => statistics[(int)(permutations * (1 - share)) - 1];
    }
}
