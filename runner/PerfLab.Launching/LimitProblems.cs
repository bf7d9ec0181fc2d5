using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching;

/// <summary>`cpus=` and `memory=` that no launch could have, known before anything is built.</summary>
public static class LimitProblems
{
    /// <summary>More than there is; each value once.</summary>
    public static IReadOnlyList<Problem> Of(RunPlan plan, MachineRoom room)
    {
        var asked = Asked(plan).ToList();
        return
        [
            .. asked.Where(one => one.Limits.Cpus * one.Nodes > room.Cores)
                .Select(one => (Cpus: one.Limits.Cpus!.Value, one.Nodes)).Distinct()
                .Select(one => new Problem(
                    LimitDimensions.Cpus, Invariant($"{one.Cpus}{(one.Nodes > 1 ? Invariant($" for each of {one.Nodes} nodes") : "")} ")
                        + Invariant($"is more than launches can have here: {Counted.Of(room.Cores!.Value, "core")}."),
                    Invariant($"At most {Math.Max(1, room.Cores!.Value / one.Nodes)}."))),
            .. asked.Where(one => one.Limits.MemoryBytes > room.AllBytes).Select(one => one.Limits.MemoryBytes!.Value).Distinct()
                .Select(bytes => new Problem(
                    LimitDimensions.Memory, $"{MemoryText.Of(bytes)} is more than this machine has: {MemoryText.Of(room.AllBytes!.Value)}.",
                    "A limit that can't be reached limits nothing.")),
        ];
    }

    /// <summary>Where nothing can hold a launch to its memory.</summary>
    internal static IReadOnlyList<Problem> WithoutMemoryLimit(RunPlan plan) =>
        Asked(plan).Select(one => one.Limits.MemoryBytes).FirstOrDefault(bytes => bytes is not null) is { } bytes
            ? [new(
                LimitDimensions.Memory,
                $"nothing holds a process to {MemoryText.Of(bytes)} here: "
                    + "no memory cgroup can be made (it takes root, or a delegated cgroup).",
                "Take --executor docker, run as root, or start it with `systemd-run --user --scope -p Delegate=yes ./perf-lab run …`.")]
            : [];

    private static IEnumerable<(AskedLimits Limits, int Nodes)> Asked(RunPlan plan) =>
        plan.Cells.Where(cell => cell.Unavailable is null).SelectMany(cell => cell.Arms).Where(arm => arm.Limits is not null)
            .Select(arm => (arm.Limits!, arm.Nodes?.Count ?? 1));
}
