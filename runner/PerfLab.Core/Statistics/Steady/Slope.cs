using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Steady;

/// <summary>
/// Whether a series creeps up or down: the median of the slopes between any two values (Theil, 1950; Sen, 1968), and Kendall's test
/// that it is no chance. Both stand up to wild values.
/// </summary>
public static class Slope
{
    /// <summary>Quantile of the normal law for a two-sided level of 1 %.</summary>
    public const double Bound = 2.5758;

    /// <summary>Slope of <paramref name="values"/> over <paramref name="times"/> as a share of their median, per unit of time; null when it may be chance.</summary>
    public static double? BeyondChance(ReadOnlySpan<double> values, ReadOnlySpan<double> times)
    {
        var score = 0;
        for (var one = 0; one < values.Length; one++)
        {
            for (var other = one + 1; other < values.Length; other++)
            {
                score += Math.Sign(values[other] - values[one]);
            }
        }

        // Nearly every launch ends here, before the slopes have to be sorted.
        if (Math.Abs(score) <= 1 || (Math.Abs(score) - 1) / Deviation(values.ToArray()) <= Bound)
        {
            return null;
        }

        var level = Median.Of(values.ToArray());
        return level > 0 ? Median.Of(Slopes(values.ToArray(), times.ToArray())) / level : null;
    }

    private static IEnumerable<double> Slopes(double[] values, double[] times) =>
        from one in Enumerable.Range(0, values.Length)
        from other in Enumerable.Range(one + 1, values.Length - one - 1)
        select (values[other] - values[one]) / (times[other] - times[one]);

    /// <summary>Of Kendall's score when the order is chance; ties make it smaller.</summary>
    private static double Deviation(double[] values)
    {
        static double Term(double n) => n * (n - 1) * ((2 * n) + 5);
        var ties = values.GroupBy(value => value).Sum(group => Term(group.Count()));
        return Math.Sqrt((Term(values.Length) - ties) / 18);
    }
}
