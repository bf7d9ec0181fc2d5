namespace PerfLab.Core.Statistics.Exact;

/// <summary>The middle value; of an even number of values the mean of the two in the middle.</summary>
public static class Median
{
    /// <summary>Turns the median absolute deviation of normal values into their standard deviation: 1 / 0.67449.</summary>
    private const double ToStandardDeviation = 1.4826;

    /// <summary>
    /// Median of <paramref name="values"/>, in their unit. Throws when there are none: no value stands for "nothing measured".
    /// </summary>
    public static double Of(IEnumerable<double> values)
    {
        var sorted = values.ToArray();
        Array.Sort(sorted);
        return OfSorted(sorted);
    }

    /// <summary>
    /// How far values lie around their median, in their unit: the standard deviation if they are normal. A few that lie far away do not
    /// move it.
    /// </summary>
    public static double Deviation(IReadOnlyCollection<double> values)
    {
        var middle = Of(values);
        return ToStandardDeviation * Of(values.Select(value => Math.Abs(value - middle)));
    }

    /// <summary>Median of values that are already in ascending order.</summary>
    public static double OfSorted(ReadOnlySpan<double> sorted)
    {
        ArgumentOutOfRangeException.ThrowIfZero(sorted.Length, nameof(sorted));
        var upper = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[upper] : sorted[upper - 1] + ((sorted[upper] - sorted[upper - 1]) / 2);
    }
}

/// <summary>
/// The interval of a median from the order of the values alone: between the k-th smallest and the k-th largest, whatever their
/// distribution. The median lies below the k-th smallest only when fewer than k of n fair coins fall on one side.
/// </summary>
public static class MedianInterval
{
    private const double Large = 1e150;
    private const int Shift = 400;

    /// <summary>The narrowest such interval that covers at least <paramref name="coverage"/>; null with too few values (six are needed for 95 %).</summary>
    public static (double Low, double High)? Of(IReadOnlyCollection<double> values, double coverage)
    {
        var rank = Rank(values.Count, coverage);
        double[] sorted = [.. values.Order()];
        return rank == 0 ? null : (sorted[rank - 1], sorted[^rank]);
    }

    /// <summary>k, from 1; 0 when there is none.</summary>
    public static int Rank(int count, double coverage)
    {
        // The chance of `rank` of `count` coins is term x 2^exponent: 0.5^count alone is zero from 1075 values on.
        var (rank, tail, term, exponent) = (0, 0.0, 1.0, -count);
        for (; 2 * (rank + 1) <= count; rank++)
        {
            // tail: P(at most `rank` of `count` coins), which is what k = rank + 1 leaves out on each side.
            tail += Math.ScaleB(term, exponent);
            if (1 - (2 * tail) < coverage)
            {
                break;
            }

            term *= (double)(count - rank) / (rank + 1);
            if (term > Large)
            {
                (term, exponent) = (Math.ScaleB(term, -Shift), exponent + Shift);
            }
        }

        return rank;
    }
}
