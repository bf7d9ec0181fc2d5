using PerfLab.Core.Model;

namespace PerfLab.Core.Planning.Plans;

/// <summary>
/// Whose turn it is when. Each set of slices, one for each arm, is in an order of its own, drawn fairly and independently: what drifts
/// from slice to slice favours no arm, and an order that alternates would fail under a disturbance of the same period.
/// </summary>
public static class TurnOrder
{
    /// <summary>For one attempt of a round: so many sets, each the places of the arms (from 0, in the order of the launches).</summary>
    public static IReadOnlyList<IReadOnlyList<int>> Draw(ulong seed, Stage stage, PlannedRound round, int attempt, int slices, int arms)
    {
        var random = SeededRandom.For(seed, $"turns {stage} {round.Cell} {round.Round} {attempt}");
        return [.. Enumerable.Range(0, slices).Select(_ => random.Shuffle(Enumerable.Range(0, arms)))];
    }
}
