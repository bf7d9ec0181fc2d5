using PerfLab.Core.Measurements;
using static System.FormattableString;

namespace PerfLab.Core.Statistics;

/// <summary>What a reader must know of a pair beside its figures: failures per arm, rounds that are missing.</summary>
internal static class PairWarnings
{
    /// <summary>Exact binomial p up to which an arm counts as failing more often than the reference.</summary>
    public const double FailureLevel = 0.05;

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

        foreach (var counts in new[] { pair.ReferenceLaunches.Warning, pair.ArmLaunches.Warning })
        {
            if (counts is not null)
            {
                yield return counts;
            }
        }

        if (pair.FailsMoreOften <= FailureLevel)
        {
            yield return Invariant($"arm {pair.Arm.Id} fails more often than {pair.Cell.Reference.Id} beyond chance (exact binomial p {pair.FailsMoreOften:0.####}): it can't be called improved");
        }
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
        if (complete < pair.LeastRounds)
        {
            return Invariant($"no verdict: {complete} complete {stage} rounds, at least {pair.LeastRounds} are needed");
        }

        return complete < planned ? Invariant($"{complete} of {planned} {stage} rounds are complete") : null;
    }
}
