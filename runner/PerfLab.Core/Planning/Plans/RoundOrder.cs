using PerfLab.Core.Model;

namespace PerfLab.Core.Planning.Plans;

/// <summary>
/// Who is launched when. Cells come in random order round by round, so that a cell's rounds are spread over the session; within a round
/// the arms come in an order drawn independently and fairly, not alternating and not balanced: an ABAB order fails under drift
/// (docs/statistics.md, "What is never done, and why").
/// </summary>
public static class RoundOrder
{
    /// <summary>All rounds of a stage, in the order of launching.</summary>
    public static IReadOnlyList<PlannedRound> Draw(ulong seed, Stage stage, int rounds, IReadOnlyList<PlannedCell> cells) =>
        Draw(seed, stage, (0, rounds), cells);

    /// <summary>The rounds from the first of <paramref name="between"/> to before the second.</summary>
    public static IReadOnlyList<PlannedRound> Draw(
        ulong seed, Stage stage, (int From, int Before) between, IReadOnlyList<PlannedCell> cells)
    {
        var order = new List<PlannedRound>((between.Before - between.From) * cells.Count);
        for (var round = between.From; round < between.Before; round++)
        {
            var visit = SeededRandom.For(seed, $"cells {stage} {round}").Shuffle(cells);
            order.AddRange(visit.Select(cell => new PlannedRound(
                cell.Id, round, Arms(seed, stage, new(cell.Id, round, [.. cell.Arms.Select(arm => arm.Id)]), attempt: 0))));
        }

        return order;
    }

    /// <summary>The rounds of all repeats: as many for each as the confirm stage has; null without repeats.</summary>
    public static IReadOnlyList<PlannedRound>? DrawRepeats(ulong seed, Policy policy, IReadOnlyList<PlannedCell> cells) =>
        policy.Repeats == 0 ? null : Draw(seed, Stage.Repeat, policy.Repeats * policy.ConfirmRounds, cells);

    /// <summary>The order of the arms in one attempt of a round: a repeat draws anew, from the same seed.</summary>
    public static IReadOnlyList<string> Arms(ulong seed, Stage stage, PlannedRound round, int attempt) =>
        SeededRandom.For(seed, $"arms {stage} {round.Cell} {round.Round} {attempt}")
            .Shuffle(round.Order.Order(StringComparer.Ordinal));
}
