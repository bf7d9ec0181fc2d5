using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>
/// All kept (cell, arm) pairs of a session with their primary metric, tested together: one family error over the whole matrix.
/// A family per cell or per arm would reach 3.6 to 10.7 % instead of 1 %.
/// </summary>
public sealed class Family
{
    private readonly Dictionary<PairEvidence, (double P, double Adjusted)> _members;

    private Family(Dictionary<PairEvidence, (double P, double Adjusted)> members, Policy policy, int pairs)
    {
        _members = members;
        Policy = policy;
        MeasuredPairs = pairs;
    }

    public Policy Policy { get; }

    /// <summary>Kept pairs, which are tested together.</summary>
    public int Members => _members.Count;

    /// <summary>Pairs that were meant to be measured: what the smallest detectable change depends on.</summary>
    public int MeasuredPairs { get; }

    public static Family Of(IReadOnlyList<PairEvidence> pairs, Policy policy)
    {
        var kept = pairs.Where(IsMember).ToArray();
        var pValues = kept.Select(pair => PValue(pair, policy)).ToArray();
        var adjusted = Holm.Adjust(pValues);
        var members = Enumerable.Range(0, kept.Length).ToDictionary(index => kept[index], index => (pValues[index], adjusted[index]));
        return new(members, policy, pairs.Count(pair => pair.NotMeasured is null));
    }

    /// <summary>p and Holm-adjusted p of a kept pair; null for one that is not in the family.</summary>
    public (double P, double Adjusted)? Find(PairEvidence pair) => _members.TryGetValue(pair, out var values) ? values : null;

    /// <summary>The direction that the screen saw: +1, -1, or 0 when there is none to go by.</summary>
    public static int ScreenDirection(PairEvidence pair, Metric metric) =>
        LogRatios.Of(pair.Screen, metric) is { Problem: null } screen ? SignedRank.Test(screen.Differences).Direction : 0;

    private static bool IsMember(PairEvidence pair) =>
        pair.Kept && pair.NotMeasured is null && Primary(pair) is { Kind: MetricKind.Sampled };

    /// <summary>
    /// Whatever happened to a kept pair, it stays in the family: with p = 1 when it can't be tested. One that was not steady has no
    /// direction to claim: with its own p, or outside, it would make the others' bound milder.
    /// </summary>
    private static double PValue(PairEvidence pair, Policy policy)
    {
        if (!pair.Rest.IsSteady)
        {
            return 1;
        }

        var metric = Primary(pair)!;
        var confirm = LogRatios.Of(pair.Confirm, metric);
        if (confirm.Problem is not null || policy.Within == 0)
        {
            return confirm.Problem is null ? StageRule.ConfirmPValue(confirm.Differences, ScreenDirection(pair, metric)) : 1;
        }

        var planned = pair.Confirm.Count(round => round.Round < policy.ConfirmRounds);
        return StageRule.ConfirmPValue(confirm.Differences.AsSpan(0, planned), confirm.Differences.AsSpan(planned),
            ScreenDirection(pair, metric), (pair.End?.Why, pair.End?.Rounds < policy.ConfirmRounds));
    }

    private static Metric? Primary(PairEvidence pair) => pair.Cell.Metrics.FirstOrDefault(metric => metric.Primary);
}
