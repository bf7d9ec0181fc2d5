using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Looks;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>
/// Which pairs a confirm stage need not measure any longer. A pair stops when it would be called whatever the others do: its p over all
/// looks passes the strictest bound that Holm could ask, and the change reaches the margin. Nothing stops for showing no change.
/// </summary>
public static class EarlyStop
{
    /// <summary>The (cell, arm) pairs that are decided at the look after <paramref name="rounds"/> rounds.</summary>
    public static IReadOnlySet<(string Cell, string Arm)> Decided(SampleSet soFar, Policy policy, int rounds)
    {
        var decided = new HashSet<(string Cell, string Arm)>();
        if (LookPlan.Of(policy) is not { } plan)
        {
            return decided;
        }

        // A session that goes on after a crash may hold later rounds already: this look did not know them.
        var then = soFar with { Launches = [.. soFar.Launches.Where(launch => launch.Stage == Stage.Screen || launch.Round < rounds)] };
        var byCell = CellLaunches.ByCell(then);
        var kept = then.Header.Cells.SelectMany(cell => cell.Arms.Skip(1).Select(arm => new PairEvidence(cell, arm, byCell[cell.Id])))
            .Where(pair => pair.Kept && pair.NotMeasured is null).ToList();
        foreach (var pair in kept)
        {
            if (pair.Cell.Metrics.FirstOrDefault(metric => metric.Primary) is { Kind: MetricKind.Sampled } metric
                && LogRatios.Of(pair.Confirm, metric) is { Problem: null } ratios
                && IsDecided(ratios.Differences, Family.ScreenDirection(pair, metric), new(policy, plan, kept.Count)))
            {
                decided.Add((pair.Cell.Id, pair.Arm.Id));
            }
        }

        return decided;
    }

    /// <param name="differences">Log ratios of the rounds so far.</param>
    /// <param name="screenDirection">As the screen saw it; 0 without one.</param>
    /// <param name="family">Whom the pair is tested with.</param>
    public static bool IsDecided(ReadOnlySpan<double> differences, int screenDirection, LookFamily family)
    {
        if (differences.Length < family.Plan.Rounds[0]
            || family.Members * family.Plan.PValue(differences, screenDirection) > family.Policy.FamilyError)
        {
            return false;
        }

        var direction = screenDirection != 0 ? screenDirection : SignedRank.Test(differences).Direction;
        return PracticalMargin.Of(family.Policy).IsReachedBy(new WalshAverages(differences).Centre, direction);
    }
}

/// <summary>What a look goes by.</summary>
/// <param name="Members">Kept pairs of the session.</param>
public sealed record LookFamily(Policy Policy, LookPlan Plan, int Members);
