using PerfLab.Core.Files;
using PerfLab.Core.Planning.Plans;
using PerfLab.Machine.Facts;

namespace PerfLab.Launching;

/// <summary>What of a plan an executor could never launch, known before anything is built.</summary>
public static class LaunchProblems
{
    /// <param name="memory">Bytes that the machine has for launches; null where nobody knows.</param>
    public static IReadOnlyList<Problem> Of(ILauncher launcher, RunPlan plan, long? memory) =>
        !launcher.TakesTurns && plan.Cells.FirstOrDefault(cell => cell.Turns is not null) is { } cell
            ? [new("--pairing",
                $"{cell.Workload} was to be measured in turns, and the {launcher.Executor} executor can't freeze what it launches.",
                "Take --executor docker or process, or leave --pairing out.")]
            : launcher.MeasuresHere && plan.Cells.FirstOrDefault(cell => cell.Turns is not null && MemoryOf(cell) > memory) is { } large
            ? [new("--pairing",
                Invariant($"{large.Workload} in turns takes {large.Arms.Count} times {large.Resources.MemoryBytes >> 20} MiB at once, ")
                    + Invariant($"and {memory >> 20} MiB are free on this machine."),
                "Leave --pairing out: then a round launches one arm after the other.")]
            : launcher.Problems(plan);

    private static long MemoryOf(PlannedCell cell) => cell.Arms.Count * cell.Resources.MemoryBytes;

    /// <summary>What the kernel says a program could get now without swapping; null where it does not say.</summary>
    public static long? FreeMemory() =>
        new MachineFiles().Text("/proc/meminfo")?.Split('\n')
            .FirstOrDefault(line => line.StartsWith("MemAvailable:", StringComparison.Ordinal))
            is { } line && long.TryParse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], NumberStyles.None,
                CultureInfo.InvariantCulture, out var kibibytes) ? kibibytes << 10 : null;
}
