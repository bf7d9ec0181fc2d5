using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>What a row of a session with minutes says of its end, where a reader could take it for less than it is.</summary>
internal static class EndNote
{
    /// <summary>Of a row without a verdict: minutes are for what the screen kept, so more of them would not help this one.</summary>
    public static IEnumerable<string> OfScreen(PairEvidence pair, LogRatios screen, Policy policy)
    {
        if (policy.Within > 0 && pair is { Kept: false, End: null } && !StageRule.AfterScreen(screen.Differences, policy).Kept)
        {
            yield return Invariant($"the screen did not keep it, so it had {pair.Deciding.Count} rounds and no more, ")
                + "whatever minutes were left: " + "measured alone it has no screen, and goes on";
        }
    }

    public static IEnumerable<string> Of(PairEvidence pair, Policy policy)
    {
        var rounds = pair.Deciding.Count;
        switch (pair.End?.Why)
        {
            case EndReason.Futile:
                yield return Invariant($"ended after {rounds} rounds: no verdict could come of it within {policy.Within:0.##} min");
                break;
            case EndReason.OutOfMinutes:
                yield return Invariant($"out of minutes after {rounds} rounds (--within {policy.Within:0.##}m): more minutes would go on");
                break;
            case EndReason.Measured:
                yield return Invariant($"went on to {rounds} rounds, because {policy.ConfirmRounds} did not decide it");
                break;
        }
    }
}
