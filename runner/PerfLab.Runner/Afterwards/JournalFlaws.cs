using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.Afterwards;

/// <summary>
/// What a journal says that the session of its plan can't have written. Order and padding of every launch are drawn from the plan's seed,
/// so arms that changed places, another seed and rounds of another plan show. A sentence for each flaw.
/// </summary>
internal static class JournalFlaws
{
    /// <summary>Cells, arms and units that are not the plan's. Builds, and what they overrule, are the journal's own.</summary>
    public static IEnumerable<string> OfCells(RunPlan plan, SampleSet samples)
    {
        var planned = plan.Cells.ToDictionary(cell => cell.Id, StringComparer.Ordinal);
        foreach (var cell in samples.Header.Cells)
        {
            if (!planned.Remove(cell.Id, out var meant))
            {
                yield return $"cell '{cell.Id}' is not in the plan";
            }
            else if (!JsonNode.DeepEquals(Node(cell), Node(PlannedCells.WithBuilds(meant, cell, whenAbsent: null))))
            {
                yield return $"cell {cell.Id} is not what the plan says of it";
            }
        }

        if (samples.Header.Shard is null && planned.Count > 0)
        {
            var first = planned.Keys.Order(StringComparer.Ordinal).First();
            yield return $"the journal does not hold {Counted.Of(planned.Count, "cell")} of the plan, {first} among them";
        }

        if (!JsonNode.DeepEquals(Node(samples.Header.Policy), Node(plan.Policy)))
        {
            yield return "its policy is not the plan's";
        }

        if (samples.Header.Seed != plan.Seed)
        {
            yield return Invariant($"its seed is {samples.Header.Seed}, the plan's is {plan.Seed}");
        }
    }

    /// <summary>Launches that the plan does not hold, or that stand elsewhere than its seed puts them.</summary>
    public static IEnumerable<string> OfRounds(RunPlan plan, SampleSet samples)
    {
        var rounds = Rounds(Stage.Screen, plan.Screen).Concat(Rounds(Stage.Confirm, plan.Confirm))
            .Concat(Rounds(Stage.Repeat, plan.Repeat ?? [])).ToDictionary();
        // What could not be launched at all stands in the journal without a round that was run.
        var launched = samples.Launches.Where(launch => launch.Pad is not null || launch.WallSeconds > 0);
        foreach (var attempt in launched.GroupBy(launch => (launch.Cell, launch.Stage, launch.Round, launch.Attempt)))
        {
            var (cell, stage, number, again) = attempt.Key;
            var at = Invariant($"{cell}, {Words.Of(stage)} round {number + 1}{(again > 0 ? $", repeat {again}" : "")}");
            if (!rounds.TryGetValue((cell, stage, number), out var round) && (round = Beyond(plan, cell, stage, number)) is null)
            {
                yield return $"{at}: the plan has no such round";
                continue;
            }

            var found = attempt.Select(launch => launch.Arm).ToList();
            var drawn = RoundOrder.Arms(plan.Seed, stage, round, again).Where(found.Contains).ToList();
            var places = attempt.OrderBy(launch => launch.Position).Select(launch => launch.Arm);
            if (!drawn.SequenceEqual(found, StringComparer.Ordinal) || !drawn.SequenceEqual(places, StringComparer.Ordinal))
            {
                yield return $"{at}: launched {string.Join(", ", found)}, drawn was {string.Join(", ", drawn)}";
            }

            var pad = EnvironmentPad.Draw(plan.Seed, stage, round, again);
            if (attempt.FirstOrDefault(launch => launch.Pad is { } had && had != pad) is { } other)
            {
                yield return Invariant($"{at}: {other.Arm} had {other.Pad} bytes of padding, drawn were {pad}");
            }
        }
    }

    /// <summary>A round that a pair went on to: it is drawn from the seed as those of the plan. Null where none may be.</summary>
    private static PlannedRound? Beyond(RunPlan plan, string cell, Stage stage, int number) =>
        plan.Policy.Within > 0 && stage == Stage.Confirm && number >= plan.Policy.ConfirmRounds && number < LogRatios.MostRounds
        && plan.Cells.FirstOrDefault(known => known.Id == cell) is { } planned
            ? new(cell, number, [.. planned.Arms.Select(arm => arm.Id)]) : null;

    /// <summary>Launches that stand before one that started earlier, and rounds that a complete session lacks.</summary>
    public static IEnumerable<string> OfTime(RunPlan plan, SampleSet samples)
    {
        var launched = samples.Launches.Where(launch => launch.WallSeconds > 0).ToList();
        foreach (var (first, second) in launched.Zip(launched.Skip(1)).Where(pair => pair.Second.Started < pair.First.Started))
        {
            yield return Invariant($"record {second.Seq} started before record {first.Seq}, which stands before it");
        }

        if (!samples.Complete || plan.Policy.Within > 0)
        {
            yield break;
        }

        var byStage = samples.Launches.ToLookup(launch => (launch.Cell, launch.Stage));
        foreach (var cell in samples.Header.Cells)
        {
            foreach (var (stage, count) in new[] { (Stage.Screen, plan.Policy.ScreenRounds), (Stage.Confirm, plan.Policy.ConfirmRounds) })
            {
                var launches = byStage[(cell.Id, stage)].ToList();
                var missing = Enumerable.Range(0, launches.Count == 0 ? 0 : count).Except(launches.Select(launch => launch.Round)).ToList();
                // An arm that fails again and again ends its rounds.
                if (missing.Count > 0 && launches.TrueForAll(launch => launch.Outcome == Outcome.Measured))
                {
                    yield return Invariant($"{cell.Id}: {missing.Count} of {count} {Words.Of(stage)} rounds are missing, ")
                        + Invariant($"the first is round {missing[0] + 1}");
                }
            }
        }
    }

    private static IEnumerable<KeyValuePair<(string Cell, Stage Stage, int Round), PlannedRound>> Rounds(
        Stage stage, IReadOnlyList<PlannedRound> rounds) =>
        rounds.Select(round => KeyValuePair.Create((round.Cell, stage, round.Round), round));

    private static JsonNode? Node<T>(T value) => JsonSerializer.SerializeToNode(value);
}
