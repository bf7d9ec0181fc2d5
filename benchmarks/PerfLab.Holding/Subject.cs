using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Proof;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;

namespace PerfLab.Holding;

/// <summary>The first cell of a plan, built: what is launched.</summary>
internal sealed record Subject(PlannedCell Cell, ArmBuilds Builds)
{
    public PlannedArm Reference => Cell.Arms[0];

    public PlannedArm Arm => Cell.Arms[^1];

    public Metric Metric => Cell.Metrics.First(metric => metric.Primary);

    /// <summary>From plan.json, with builds.json beside it.</summary>
    public static Subject Read(string plan)
    {
        var read = PlanStep.Read(Path.GetFullPath(plan));
        return new(read.Cells[0], BuildsFile.Read(Path.Combine(Path.GetDirectoryName(Path.GetFullPath(plan))!, "builds.json"), read));
    }

    /// <summary>The seconds of one unit of work in a launch, so that + is slower for rates and times alike.</summary>
    /// <param name="launch">Who launches.</param>
    /// <param name="arm">Of the cell.</param>
    /// <param name="pad">Bytes of padding.</param>
    /// <param name="cpus">In the kernel's list form; null: all.</param>
    /// <exception cref="InvalidOperationException">The launch gave no value.</exception>
    public async Task<double> CostAsync(Func<LaunchSpec, Task<LaunchEnd>> launch, PlannedArm arm, int pad, string? cpus = null)
    {
        var nonce = LaunchEnvironment.NewNonce();
        var end = await launch(Spec(arm, pad, nonce, cpus));
        var judged = LaunchJudge.Judge(new(Cell, arm, nonce), end);
        return judged.Outcome != Outcome.Measured
            ? throw new InvalidOperationException($"{Cell.Workload}, {arm.Id}: {judged.Outcome} {judged.Reason} {end.Tail}")
            : Metric.Better == Better.Higher ? 1 / judged.Metrics[Metric.Name] : judged.Metrics[Metric.Name];
    }

    /// <summary>What both arms cost, one after the other.</summary>
    /// <param name="launch">Who launches.</param>
    /// <param name="pad">Bytes of padding.</param>
    /// <param name="first">0: the reference goes first; 1: the other arm.</param>
    public async Task<(double Reference, double Arm)> InTurnAsync(Func<LaunchSpec, Task<LaunchEnd>> launch, int pad, int first)
    {
        var costs = new double[2];
        foreach (var place in new[] { first, 1 - first })
        {
            costs[place] = await CostAsync(launch, place == 0 ? Reference : Arm, pad);
        }

        return (costs[0], costs[1]);
    }

    /// <summary>How an arm is launched.</summary>
    public LaunchSpec Spec(PlannedArm arm, int pad, string? nonce = null, string? cpus = null) =>
        new LaunchSpecs("benchmark", Builds, cpus).Of(Cell, arm, nonce ?? LaunchEnvironment.NewNonce(), pad);
}
