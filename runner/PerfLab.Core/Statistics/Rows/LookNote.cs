using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>What a row says of a confirm stage that may end early: whether it did, and what that took from the error.</summary>
internal static class LookNote
{
    public static IEnumerable<string> Of(PairEvidence pair, Policy policy, Family family)
    {
        if (!pair.Kept || pair.Looks is not { } looks || pair.Deciding.Count >= policy.ConfirmRounds)
        {
            yield break;
        }

        var rounds = pair.Deciding.Count;
        var look = looks.Rounds.Index().FirstOrDefault(one => one.Item == rounds);
        if (look.Item != rounds || !(family.Find(pair)?.Adjusted <= policy.FamilyError))
        {
            yield return Invariant($"{rounds} of {policy.ConfirmRounds} confirm rounds are complete");
            yield break;
        }

        var (sides, share) = (IsScreened(pair) ? 1 : 2, policy.FamilyError / family.Members);
        var spent = sides * looks.Spent(share / sides, rounds);
        yield return Invariant($"stopped early: decided at look {look.Index + 1} of {looks.Rounds.Count}, after {rounds} of ")
            + Invariant($"{policy.ConfirmRounds} rounds; p and interval hold over all looks. Of this row's error of ")
            + Invariant($"{100 * share:0.###} % at most {100 * spent:0.###} % was spent by then");
    }

    private static bool IsScreened(PairEvidence pair) =>
        pair.Cell.Metrics.FirstOrDefault(metric => metric.Primary) is { } metric && Family.ScreenDirection(pair, metric) != 0;
}
