using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>What a reader must know of a pair beside its figures: failures per arm, rounds that are missing.</summary>
internal static class PairWarnings
{
    public static IEnumerable<string> Of(PairEvidence pair, Policy policy)
    {
        if (pair.ArmLaunches.All == 0)
        {
            yield return NeverLaunched(pair);
            yield break;
        }

        if (Rounds(pair, policy) is { } rounds)
        {
            yield return rounds;
        }

        if (Unconfirmed(pair, policy) is { } unconfirmed)
        {
            yield return unconfirmed;
        }

        foreach (var counts in new[] { pair.ReferenceLaunches.Warning, pair.ArmLaunches.Warning })
        {
            if (counts is not null)
            {
                yield return counts;
            }
        }

        foreach (var told in new[]
        {
            pair.ReferenceLaunches.IndirectEvidence, pair.ArmLaunches.IndirectEvidence,
            pair.ReferenceLaunches.Throttled, pair.ArmLaunches.Throttled,
        })
        {
            if (told is not null)
            {
                yield return told;
            }
        }

        if (pair.FailsMoreOften <= VerdictRule.FailureLevel)
        {
            yield return Invariant($"arm {pair.Arm.Id} fails more often than {pair.Cell.Reference.Id} beyond chance ")
                + Invariant($"(exact binomial p {pair.FailsMoreOften:0.####}): it can't be called improved");
        }
    }

    /// <summary>Nobody can look up later what was measured.</summary>
    public static IEnumerable<string> WorkingTrees(PairEvidence pair) =>
        new[] { pair.Cell.Reference, pair.Arm }.Where(arm => arm.WorkingTree is not null)
        .Select(arm => $"arm {arm.Id} is a working tree: {arm.WorkingTree}; measured again, it is what the tree holds then");

    /// <summary>A session that was cut, or measured by other rules, may lack the confirm stage that its screen asks for.</summary>
    private static string? Unconfirmed(PairEvidence pair, Policy policy)
    {
        if (pair.Kept || pair.End is not null
            || pair.Cell.Metrics.FirstOrDefault(metric => metric.Primary) is not { Kind: MetricKind.Sampled } metric
            || LogRatios.Of(pair.Screen, metric) is not { Problem: null } screen)
        {
            return null;
        }

        var decision = StageRule.AfterScreen(screen.Differences, policy);
        return decision.Kept
            ? Invariant($"the screen (p {decision.PValue:0.####}) asks for a confirm stage, which this session does not have: ")
                + "nothing can be called"
            : null;
    }

    private static string NeverLaunched(PairEvidence pair)
    {
        var unbuilt = new[] { pair.Cell.Reference, pair.Arm }.Where(arm => arm.Build is null).Select(arm => arm.Id).ToArray();
        return unbuilt.Length > 0
            ? $"never launched: there is no build of {string.Join(" and ", unbuilt)}"
            : $"never launched: the session ended before arm {pair.Arm.Id} had its turn";
    }

    private static string? Rounds(PairEvidence pair, Policy policy)
    {
        var planned = pair.Kept ? policy.ConfirmRounds : policy.ScreenRounds;
        var stage = pair.Stage == Stage.Confirm ? "confirm" : "screen";
        var complete = pair.Deciding.Count;
        if (pair.LostToNoise)
        {
            return Invariant($"too noisy, no verdict: the machine was disturbed in {pair.Disturbed} {stage} rounds, each repeated {CountedRounds.LastAttempt} times; ")
                + Invariant($"{complete} are complete, at least {pair.LeastRounds} are needed");
        }

        if (complete < pair.LeastRounds && !(PolicyRules.ShowDirectionOnly(policy) && complete == planned))
        {
            if (pair.End is { Why: EndReason.OutOfMinutes })
            {
                return null; // said where it is told why it ended
            }

            return Invariant($"no verdict: {complete} complete {stage} rounds, at least {pair.LeastRounds} are needed");
        }

        return complete < planned && pair.End is null ? Invariant($"{complete} of {planned} {stage} rounds are complete") : null;
    }
}
