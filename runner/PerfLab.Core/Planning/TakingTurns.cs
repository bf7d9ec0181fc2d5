using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Core.Planning;

/// <summary>Which cells can be measured in turns, and why others can't (docs/statistics.md, "In turns").</summary>
public static class TakingTurns
{
    /// <summary>One problem for each reason and workload.</summary>
    public static IEnumerable<Problem> Problems(IEnumerable<(Workload Workload, PlannedCell Cell)> cells) =>
        cells.Select(one => (one.Workload.Name, Reason: Refusal(one.Workload, one.Cell))).Where(one => one.Reason is not null).Distinct()
            .Select(one => Problem(one.Name, one.Reason!));

    /// <param name="workload">Its name.</param>
    /// <param name="reason">To follow a colon.</param>
    public static Problem Problem(string workload, string reason) => new("--pairing", $"{workload} can't be measured in turns: {reason}.",
        "Leave --pairing out: what can't take turns is launched one arm after the other.");

    /// <summary>The same cell, launched one after the other where it can't take turns, with the reason. One arm needs none.</summary>
    public static PlannedCell WhereItCan(Workload workload, PlannedCell cell) =>
        Refusal(workload, cell) is { } reason ? cell with { Turns = null, NoTurns = cell.Arms.Count == 1 ? null : reason } : cell;

    /// <summary>Why a cell can't be measured in turns, to follow a colon; null when it can.</summary>
    private static string? Refusal(Workload workload, PlannedCell cell) =>
        cell.Arms.Count == 1 ? "one arm has nobody to take turns with"
        : cell.Arms.Any(arm => arm.Nodes is not null) ? "a launch of several nodes can't be frozen at one moment"
        : workload.Modes.Any(mode => mode.Name == cell.Mode && mode.IsOpenLoop)
            ? $"in mode {cell.Mode} the load comes by a schedule, which goes on while the program is frozen"
        : cell.Mode == "faithful" ? "mode faithful is a published protocol, which has no slices"
        : workload.Result == ResultFormat.PerfLab && workload.Build.Kind != BuildKind.Dotnet
            ? "only what is built with the kit says when a slice is done"
        : cell.Arms.Select(arm => cell.ResourcesOf(arm).Cpus).Distinct().Skip(1).Any()
            ? "arms that take turns share their cores, and these have different cpus"
        : cell.Launch.WarmUpSeconds <= 0 ? "it is measured from its first unit of work on, and slices begin at rest"
        : cell.Launch.TimeoutSeconds <= TimeOf(cell)
            ? Invariant($"its deadline of {cell.Launch.TimeoutSeconds:0.###} s leaves no time for {cell.Turns}")
        : null;

    private static double TimeOf(PlannedCell cell) =>
        cell.Launch.WarmUpSeconds + (cell.Turns is { } turns ? turns.Slices * turns.SliceSeconds : 0);
}
