using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>Whether one (cell, arm) pair goes to the confirm stage, and why.</summary>
/// <param name="Reason">For the log: "p 0.0391", "p 0.4609", "equivalent", "5 of 6 screen rounds".</param>
public sealed record PairScreening(string Cell, string Arm, bool Kept, string Reason);

/// <summary>What the session asks at the end of the screen: which pairs to confirm.</summary>
public static class Screening
{
    /// <summary>
    /// One answer for every (cell, arm other than the reference), in plan order. Without a screen every pair that can be measured is kept.
    /// </summary>
    public static IReadOnlyList<PairScreening> Decide(SampleSet soFar, Policy policy)
    {
        var byCell = CellLaunches.ByCell(soFar);
        return
        [
            .. from cell in soFar.Header.Cells
               from arm in cell.Arms.Skip(1)
               select Decide(new PairEvidence(cell, arm, byCell[cell.Id]), policy),
        ];
    }

    private static PairScreening Decide(PairEvidence pair, Policy policy)
    {
        var (kept, reason) = Judge(pair, policy);
        return new(pair.Cell.Id, pair.Arm.Id, kept, reason);
    }

    private static (bool Kept, string Reason) Judge(PairEvidence pair, Policy policy)
    {
        if (pair.NotMeasured is { } verdict)
        {
            return (false, Words.Of(verdict));
        }

        if (pair.Cell.Metrics.FirstOrDefault(metric => metric.Primary) is not { Kind: MetricKind.Sampled } metric)
        {
            return (false, "the primary metric is exact");
        }

        if (policy.ScreenRounds == 0)
        {
            return (true, "no screen");
        }

        if (pair.Screen.Count < StageRule.LeastScreenRounds)
        {
            return (false, Invariant($"{pair.Screen.Count} of {StageRule.LeastScreenRounds} screen rounds"));
        }

        var ratios = LogRatios.Of(pair.Screen, metric);
        if (ratios.Problem is { } problem)
        {
            return (false, problem);
        }

        var decision = StageRule.AfterScreen(ratios.Differences, policy);
        return (decision.Kept, decision.Equivalent ? "equivalent" : Invariant($"p {decision.PValue:0.####}"));
    }
}
