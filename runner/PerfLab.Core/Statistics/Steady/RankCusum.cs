namespace PerfLab.Core.Statistics.Steady;

/// <summary>
/// Does the level of a series change somewhere, and where? The largest standardised sum of ranks before a place, over all places:
/// S(k) = |sum of the first k ranks, less their mean| / its standard deviation. It needs no shape of the noise, one wild value can't
/// make it, and its law under "nothing changes" depends on the length alone (Pettitt, "A non-parametric approach to the change-point
/// problem", Applied Statistics 28, 1979). Not thread-safe: it keeps the bounds it has worked out.
/// </summary>
public sealed class RankCusum
{
    /// <summary>A part between two changes has at least so many values.</summary>
    public const int LeastPart = 4;

    /// <summary>Share of series without a change in which one is seen.</summary>
    public const double Level = 0.01;

    /// <summary>Random orders from which the bound for a length is taken; 40 of them lie above it.</summary>
    public const int Permutations = 4000;

    private const ulong Seed = 20260101;
    private readonly Dictionary<int, double> _bounds = [];

    /// <summary>The first value after the change, or null when there is none beyond chance.</summary>
    public int? Change(ReadOnlySpan<double> values)
    {
        if (values.Length < 2 * LeastPart)
        {
            return null;
        }

        var (statistic, place) = Largest(Ranks(values));
        return statistic > Bound(values.Length) ? place : null;
    }

    /// <summary>What the statistic exceeds in a share of <see cref="Level"/> of all orders of this many values.</summary>
    public double Bound(int count)
    {
        if (!_bounds.TryGetValue(count, out var bound))
        {
            var random = new SeededRandom(Seed + (ulong)count);
            var ranks = Enumerable.Range(1, count).Select(rank => (double)rank).ToArray();
            var statistics = Enumerable.Range(0, Permutations).Select(_ => Largest([.. random.Shuffle(ranks)]).Statistic).Order().ToArray();
            bound = statistics[(int)(Permutations * (1 - Level)) - 1];
            _bounds.Add(count, bound);
        }

        return bound;
    }

    private static (double Statistic, int Place) Largest(double[] ranks)
    {
        var (count, mean) = (ranks.Length, (ranks.Length + 1) / 2.0);
        var squares = ranks.Sum(rank => (rank - mean) * (rank - mean));
        var (sum, largest, place) = (0.0, 0.0, 0);
        for (var before = 1; before <= count - LeastPart; before++)
        {
            sum += ranks[before - 1] - mean;
            if (before >= LeastPart && squares > 0)
            {
                // Ties make the variance smaller than the textbook's n(n+1)/12, hence from the ranks themselves.
                var variance = (double)before * (count - before) / (count * (count - 1.0)) * squares;
                var statistic = Math.Abs(sum) / Math.Sqrt(variance);
                (largest, place) = statistic > largest ? (statistic, before) : (largest, place);
            }
        }

        return (largest, place);
    }

    /// <summary>1 for the smallest; equal values share the middle of their ranks.</summary>
    private static double[] Ranks(ReadOnlySpan<double> values)
    {
        var sorted = values.ToArray();
        var order = Enumerable.Range(0, sorted.Length).ToArray();
        Array.Sort(sorted, order);
        var ranks = new double[sorted.Length];
        for (var first = 0; first < sorted.Length;)
        {
            var next = first + 1;
            while (next < sorted.Length && sorted[next].Equals(sorted[first]))
            {
                next++;
            }

            for (var i = first; i < next; i++)
            {
                ranks[order[i]] = (first + next + 1) / 2.0;
            }

            first = next;
        }

        return ranks;
    }
}
