using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>
/// The p-value of a pair whose confirm stage may go on. Its planned rounds are tested alone; the rounds after them are fresh, and both
/// parts together are tested by a sum of normal scores whose weights are fixed beforehand, so that how many fresh rounds there are may
/// depend on anything that the planned ones said (Lehmacher and Wassmer, "Adaptive sample size calculations in group sequential trials", 1999).
/// </summary>
public static class StagedTest
{
    /// <summary>Of the error, for the planned rounds alone; the rest is for both parts together.</summary>
    public const double FirstShare = 0.75;

    /// <summary>Of the squared weights, for the fresh rounds. The others have the rest.</summary>
    public const double FreshWeight = 0.7;

    /// <summary>
    /// As if both tests had been made, whether the pair went on or not: it holds wherever the stage ended for another reason than that the
    /// pair showed nothing, and a pair that showed nothing has p = 1.
    /// </summary>
    /// <param name="planned">Log ratios of the planned rounds.</param>
    /// <param name="fresh">Of the rounds after them; empty where the pair did not go on.</param>
    /// <param name="direction">+1 or -1 tests in that direction, 0 in both.</param>
    public static double PValue(ReadOnlySpan<double> planned, ReadOnlySpan<double> fresh, int direction) => direction == 0
        ? Math.Min(1, 2 * Math.Min(OneSided(planned, fresh, 1), OneSided(planned, fresh, -1)))
        : OneSided(planned, fresh, direction);

    /// <summary>z of the planned rounds in a direction; the larger, the clearer.</summary>
    public static double Score(ReadOnlySpan<double> differences, int direction)
    {
        var test = SignedRank.Test(differences);
        return Score(direction > 0 ? test.Above : test.Below);
    }

    /// <summary>z that the fresh rounds need so that both parts together have the level of <paramref name="error"/>, one-sided.</summary>
    public static double Needed(double plannedScore, double error) =>
        (Score((1 - FirstShare) * error) - (Math.Sqrt(1 - FreshWeight) * plannedScore)) / Math.Sqrt(FreshWeight);

    private static double OneSided(ReadOnlySpan<double> planned, ReadOnlySpan<double> fresh, int direction)
    {
        var test = SignedRank.Test(planned);
        var first = direction > 0 ? test.Above : test.Below;
        var p = first / FirstShare;
        if (fresh.Length > 0)
        {
            var together = (Math.Sqrt(1 - FreshWeight) * Score(first)) + (Math.Sqrt(FreshWeight) * Score(fresh, direction));
            p = Math.Min(p, NormalDistribution.Cdf(-together) / (1 - FirstShare));
        }

        return Math.Min(1, p);
    }

    // A p of 1 says nothing for the direction, and nothing of the other part can make up for it.
    private static double Score(double p) => p >= 1 ? double.NegativeInfinity
        : p > 0.5 ? -NormalDistribution.UpperQuantile(1 - p) : NormalDistribution.UpperQuantile(Math.Max(p, double.Epsilon));
}
