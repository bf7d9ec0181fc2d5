using PerfLab.Core.Files;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching;

/// <summary>What of a plan an executor could never launch, known before anything is built.</summary>
public static class LaunchProblems
{
    public static IReadOnlyList<Problem> Of(ILauncher launcher, RunPlan plan) =>
        !launcher.TakesTurns && plan.Cells.FirstOrDefault(cell => cell.Turns is not null) is { } cell
            ? [new("--pairing",
                $"{cell.Workload} was to be measured in turns, and the {launcher.Executor} executor can't freeze what it launches.",
                "Take --executor docker or process, or leave --pairing out.")]
            : launcher.Problems(plan);
}
