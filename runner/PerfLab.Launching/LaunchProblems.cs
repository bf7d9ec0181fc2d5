using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching;

/// <summary>What of a plan an executor could never launch, known before anything is built.</summary>
public static class LaunchProblems
{
    /// <param name="room">What this machine has; of no interest where launches run elsewhere.</param>
    public static IReadOnlyList<Problem> Of(ILauncher launcher, RunPlan plan, MachineRoom room) =>
        !launcher.TakesTurns && plan.Cells.FirstOrDefault(cell => cell.Turns is not null) is { } cell
            ? [new("--pairing",
                $"{cell.Workload} was to be measured in turns, and the {launcher.Executor} executor can't freeze what it launches.",
                "Take --executor docker or process, or leave --pairing out.")]
            : launcher.MeasuresHere
                && plan.Cells.FirstOrDefault(cell => IsTooLarge(cell, room)) is { } large
            ? [new("--pairing",
                Invariant($"{large.Workload} in turns takes {Together(large)} at once, ")
                    + Invariant($"and {room.FreeBytes >> 20} MiB are free on this machine."),
                "Leave --pairing out: then a round launches one arm after the other.")]
            : launcher.Problems(plan) is { Count: > 0 } own ? own
            : launcher.LimitProblems(plan) is { Count: > 0 } limits ? limits
            : launcher.MeasuresHere ? LimitProblems.Of(plan, room) : [];

    // Of a command nobody knows what it takes: it has no limit.
    private static bool IsTooLarge(PlannedCell cell, MachineRoom room) =>
        cell is { Turns: not null, Result: not ResultFormat.WallTime } && MemoryOf(cell) > room.FreeBytes;

    private static string Together(PlannedCell cell) =>
        cell.Arms.Select(arm => cell.ResourcesOf(arm).MemoryBytes >> 20).Distinct().ToList() is [var one]
            ? Invariant($"{cell.Arms.Count} times {one} MiB") : Invariant($"{MemoryOf(cell) >> 20} MiB");

    private static long MemoryOf(PlannedCell cell) => cell.Arms.Sum(arm => cell.ResourcesOf(arm).MemoryBytes);
}
