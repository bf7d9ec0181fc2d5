using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.Flow;

/// <summary>What a plan would run, and how long that would take.</summary>
internal static class DryRun
{
    private const int MostCells = 40;

    public static void Write(RunPlan plan, TextWriter output)
    {
        output.WriteLine(Summary(plan));
        foreach (var cell in plan.Cells.Take(MostCells))
        {
            var values = cell.Dimensions.Concat(cell.Parameters).Select(pair => $"{pair.Key}={pair.Value}");
            var first = cell.Arms.Count > 2 ? "reference " : "";
            var arms = string.Join(" | ", cell.Arms.Select((arm, place) => (place == 0 ? first : "") + NameOf(arm)));
            output.WriteLine($"  {cell.Id}  {cell.Workload}  {string.Join(" ", values)}  [{arms}]");
            if (cell.NoTurns is { } why)
            {
                output.WriteLine($"        one launch after the other: {why}");
            }

            foreach (var arm in plan.IsAa || cell.Unavailable is not null ? [] : cell.Arms.Skip(1).Where(arm => Planner.AreAlike(arm, cell.Arms[0])))
            {
                output.WriteLine(
                    $"        {arm.Id} is the same as {cell.Arms[0].Id}: identical-build, nothing of it is launched; --aa measures one against itself");
            }

            if (cell.Unavailable is { } reason)
            {
                output.WriteLine($"        unavailable: {reason}");
            }
        }

        if (plan.Cells.Count > MostCells)
        {
            output.WriteLine($"  … and {plan.Cells.Count - MostCells} more cells");
        }

        var builds = plan.Cells.Where(cell => cell.Unavailable is null).SelectMany(cell => cell.Arms.Select(arm => (Cell: cell, Arm: arm)));
        foreach (var (cell, arm) in builds.DistinctBy(pair => RecipeKey.Of(pair.Arm.Recipe), StringComparer.Ordinal).Take(MostCells))
        {
            output.WriteLine($"  build {BuildStep.Describe(cell, arm)}");
        }
    }

    private static string NameOf(PlannedArm arm) =>
        string.Join(",", arm.Dimensions.Select(pair => $"{pair.Key}={pair.Value}")) is { Length: > 0 } own ? $"{arm.Id}: {own}" : arm.Id;

    /// <summary>One line: cells, rounds, launches (with those that prove settings), minutes, seed, hash.</summary>
    public static string Summary(RunPlan plan)
    {
        var estimate = plan.Estimate;
        if (estimate.MostLaunches == 0)
        {
            return Invariant($"plan: {plan.Cells.Count} {(plan.Cells.Count == 1 ? "cell" : "cells")}, of which nothing is to be launched");
        }

        var launches = estimate.LeastLaunches == estimate.MostLaunches
            ? $"{estimate.MostLaunches} launches" : $"{estimate.LeastLaunches} to {estimate.MostLaunches} launches";
        var proofs = ProofNeed.Count(plan) is > 0 and var some ? $" and {some} that only {(some == 1 ? "proves" : "prove")} settings" : "";
        var cells = Invariant($"{(plan.OnlyTouched ? "at most " : "")}{plan.Cells.Count} {(plan.Cells.Count == 1 ? "cell" : "cells")}");
        var within = plan.Policy.Within > 0 ? Invariant($" or until decided, within {plan.Policy.Within:0.##} min") : "";
        var again = plan.Policy.Repeats > 0 ? Invariant($", what is flagged up to {plan.Policy.Repeats + 1} times") : "";
        var rounds = Invariant($"{plan.Policy.ScreenRounds}+{plan.Policy.ConfirmRounds} rounds{Direction(plan)}{within}{again}");
        var turns = InTurns(plan);
        var shards = plan.Shards is { } several ? Invariant($" in {several.Count} shards") : "";
        return Invariant($"plan: {cells}{shards}, {rounds}{turns}, {launches}{proofs}, {Takes(plan)}{Rest(plan)}, seed {plan.Seed}, ")
            + plan.Hash[..19];
    }

    /// <summary>Said before the minutes are spent, and not only after them.</summary>
    private static string Direction(RunPlan plan) =>
        PolicyRules.ShowDirectionOnly(plan.Policy) && PlanStep.Pairs(plan) > 0
            ? Invariant($" (a direction and no verdict: {StageRule.LeastConfirmRounds} may give one)") : "";

    /// <summary>" in turns (30x50ms)", and in how many cells where that is not all.</summary>
    private static string InTurns(RunPlan plan)
    {
        var turns = plan.Cells.Where(cell => cell.Turns is not null).ToList();
        return turns.Count == 0 ? ""
            : $" in turns ({(turns[0].Turns!.ByClock ? "at least " : "")}{turns[0].Turns}"
                + $"{(turns.Count < plan.Cells.Count ? Invariant($", {turns.Count} of them") : "")})";
    }

    /// <summary>"about 5 min of measuring", "about 5 min to 12 min of measuring"; nobody knows what a command takes.</summary>
    public static string Takes(RunPlan plan) =>
        plan.Cells.Any(cell => cell.Result == ResultFormat.WallTime) ? "as long as they take" : $"{Length(plan.Estimate)} of measuring";

    private static string Rest(RunPlan plan) => plan.UntilRestSeconds is > 0 and var seconds
        ? $" (up to {RoughTime.Of(seconds)} more where programs do not come to rest)" : "";

    private static string Length(PlanEstimate estimate) => estimate.LongestShard is { } longest
        ? $"{Between(estimate)} in all, the longest shard {Between(estimate with { LeastSeconds = longest.LeastSeconds, MostSeconds = longest.MostSeconds })}"
        : Between(estimate);

    private static string Between(PlanEstimate estimate) => estimate.LeastLaunches == estimate.MostLaunches
        ? $"about {RoughTime.Of(estimate.MostSeconds)}" : $"about {RoughTime.Of(estimate.LeastSeconds)} to {RoughTime.Of(estimate.MostSeconds)}";
}
