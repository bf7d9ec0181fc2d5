using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching;

/// <summary>What of a plan an executor could never launch, known before anything is built.</summary>
public static class LaunchProblems
{
    /// <param name="room">What this machine has; of no interest where launches run elsewhere.</param>
    public static IReadOnlyList<Problem> Of(ILauncher launcher, RunPlan plan, MachineRoom room) =>
        plan.Cells.Where(cell => cell.Turns is { OrLaunches: false }).Select(cell => (cell.Workload, Reason: NoTurns(launcher, cell, room)))
            .FirstOrDefault(one => one.Reason is not null) is { Reason: { } reason } refused
            ? [TakingTurns.Problem(refused.Workload, reason)]
            : launcher.Problems(plan) is { Count: > 0 } own ? own
            : launcher.LimitProblems(plan) is { Count: > 0 } limits ? limits
            : launcher.MeasuresHere ? LimitProblems.Of(plan, room) : [];

    /// <summary>Why the arms of a cell can't take turns here, to follow a colon; null when they can, or are not meant to.</summary>
    /// <param name="launcher">Who launches them.</param>
    /// <param name="cell">Of the plan.</param>
    /// <param name="room">What this machine has; of no interest where launches run elsewhere.</param>
    public static string? NoTurns(ILauncher launcher, PlannedCell cell, MachineRoom room) =>
        cell.Turns is null ? null
        : !launcher.TakesTurns ? $"the {launcher.Executor} executor can't freeze what it launches"
        : launcher.MeasuresHere && IsTooLarge(cell, room)
            ? Invariant($"together its arms take {Together(cell)}, and {room.FreeBytes >> 20} MiB are free on this machine")
        : null;

    // Of a command nobody knows what it takes: it has no limit.
    private static bool IsTooLarge(PlannedCell cell, MachineRoom room) =>
        cell is { Turns: not null, Result: not ResultFormat.WallTime } && MemoryOf(cell) > room.FreeBytes;

    private static string Together(PlannedCell cell) =>
        cell.Arms.Select(arm => cell.ResourcesOf(arm).MemoryBytes >> 20).Distinct().ToList() is [var one]
            ? Invariant($"{cell.Arms.Count} times {one} MiB") : Invariant($"{MemoryOf(cell) >> 20} MiB");

    private static long MemoryOf(PlannedCell cell) => cell.Arms.Sum(arm => cell.ResourcesOf(arm).MemoryBytes);
}
