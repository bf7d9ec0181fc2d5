using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Core.Planning;

/// <summary>What the planner looks names up in.</summary>
/// <param name="Workloads">The workloads of the request, suites already expanded.</param>
/// <param name="Runtimes">"net8.0" and who runs on it -> the patch that will be measured, or the problem.</param>
public sealed record PlanningFacts(
    IReadOnlyList<Workload> Workloads, Func<string, Workload, (ResolvedRuntime? Runtime, Problem? Problem)> Runtimes)
{
    /// <summary>The releases of which a package source has a runtime: `runtime=*` also means those that are newer than what a workload claims.</summary>
    public Func<IReadOnlyList<string>> Releases { get; init; } = () => [];

    /// <summary>
    /// Gives an arm of a workload the files of its commit or working tree, which `source` names then; null where `source` is a dimension: the
    /// path that a framework is built from.
    /// </summary>
    public Func<PlannedArm, Workload, PlannedArm>? Commits { get; init; }
}
