using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>Adds to the figures of a primary metric what only it has: p, smallest detectable change, verdict.</summary>
internal static class PrimaryRow
{
    public static ComparedMetric Judge(ComparedMetric row, PairEvidence pair, Metric metric, Family family)
    {
        var deciding = LogRatios.Of(pair.Deciding, metric);
        var tested = row with
        {
            PValue = family.Find(pair)?.P ?? (deciding.Differences.Length > 0 ? SignedRank.Test(deciding.Differences).TwoSided : null),
            // A pair that the screen did not keep is not tested in the family: nothing is claimed of it.
            AdjustedP = family.Find(pair)?.Adjusted ?? (deciding.Differences.Length > 0 ? 1 : null),
            SmallestDetectable = row.Noise is { } noise
                ? SmallestDetectable.Change(noise, family.MeasuredPairs, HasScreen(pair), family.Policy)
                : null,
        };
        var failed = deciding.Problem is not null || deciding.Differences.Length < pair.LeastRounds;
        // Never a verdict from rounds that a check of the machine has struck, and no blame on the arms either.
        var noisy = deciding.Problem is null && pair.LostToNoise;
        return tested with { Verdict = noisy ? Verdict.TooNoisy : failed ? Verdict.Failed : VerdictRule.Of(Finding(pair, metric, deciding, family), family.Policy) };
    }

    private static Finding Finding(PairEvidence pair, Metric metric, LogRatios deciding, Family family)
    {
        var walsh = new WalshAverages(deciding.Differences);
        var screen = LogRatios.Of(pair.Screen, metric);
        var direction = Family.ScreenDirection(pair, metric);
        return new()
        {
            Centre = walsh.Centre,
            Interval = walsh.Interval(family.Policy.Interval),
            AdjustedP = family.Find(pair)?.Adjusted,
            Direction = direction != 0 ? direction : SignedRank.Test(deciding.Differences).Direction,
            Noise = Noise.Of(HasScreen(pair) && screen.Problem is null ? screen.Differences : deciding.Differences),
            FailsMoreOften = pair.FailsMoreOften <= VerdictRule.FailureLevel,
        };
    }

    private static bool HasScreen(PairEvidence pair) => pair.Screen.Count > 0;
}
