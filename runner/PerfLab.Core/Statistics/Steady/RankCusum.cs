using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Steady;

/// <summary>
/// Does the level of a series change somewhere, and where? The largest standardised sum of ranks before a place, over all places:
/// S(k) = |sum of the first k ranks, less their mean| / its standard deviation. It needs no shape of the noise, one wild value can't
/// make it, and its law under "nothing changes" depends on the length alone (Pettitt, "A non-parametric approach to the change-point
/// problem", Applied Statistics 28, 1979).
/// </summary>
public static class RankCusum
{
    /// <summary>A part between two changes has at least so many values.</summary>
    public const int LeastPart = 4;

    /// <summary>Share of series without a change in which one is seen.</summary>
    public const double Level = 0.01;

    /// <summary>
    /// The first value after the change, and the chance of a statistic this large when nothing changed; null when there is no change beyond
    /// chance.
    /// </summary>
    public static (int Place, double PValue)? Change(ReadOnlySpan<double> values)
    {
        if (values.Length < 2 * LeastPart)
        {
            return null;
        }

        var (statistic, place) = Largest(Ranks(values));
        var chance = RankCusumBound.PValue(statistic, values.Length);
        return chance < Level ? (Settle(values, place), chance) : null;
    }

    /// <summary>
    /// Ranks see that there is a change better than where: a low value right behind it makes the sum still larger. So the place is, within one
    /// part's length, the one from which two levels lie closest to the values (least absolute deviations).
    /// </summary>
    private static int Settle(ReadOnlySpan<double> values, int place)
    {
        var (best, least) = (place, double.PositiveInfinity);
        for (var candidate = Math.Max(LeastPart, place - LeastPart); candidate <= Math.Min(values.Length - LeastPart, place + LeastPart); candidate++)
        {
            var distance = Distance(values[..candidate]) + Distance(values[candidate..]);
            (best, least) = distance < least ? (candidate, distance) : (best, least);
        }

        return best;
    }

    private static double Distance(ReadOnlySpan<double> part)
    {
        double[] values = [.. part];
        var level = Median.Of(values);
        return values.Sum(value => Math.Abs(value - level));
    }

    /// <summary>The statistic of these values, without asking whether it may be chance.</summary>
    public static double Statistic(ReadOnlySpan<double> values) => Largest(Ranks(values)).Statistic;

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
