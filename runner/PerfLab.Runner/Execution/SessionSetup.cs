using PerfLab.Core.Measurements;
using PerfLab.Core.Planning;
using PerfLab.Core.Workloads;
using PerfLab.Runner.Building;
using PerfLab.Runner.Machine;

namespace PerfLab.Runner.Execution;

/// <summary>What a session needs to know before its first launch.</summary>
public sealed record SessionSetup
{
    public required RunPlan Plan { get; init; }

    /// <summary>What came of building each arm.</summary>
    public required ArmBuilds Builds { get; init; }
    public required SessionHeader Header { get; init; }

    /// <summary>Cores for the workload, in the kernel's list form; null leaves the choice to the executor.</summary>
    public string? Cpus { get; init; }

    /// <summary>As many of them as a workload asks for, the last ones: the first cores serve most interrupts. All of them when there are not enough.</summary>
    public string? CpusFor(Resources resources) => Cpus is not null && CpuList.TryParse(Cpus, out var pool)
        ? CpuList.Format([.. pool.TakeLast(Math.Max(1, resources.Cpus))])
        : null;

    /// <summary>How long a vanished engine is waited for.</summary>
    public TimeSpan EnginePatience { get; init; } = TimeSpan.FromSeconds(60);
}

/// <summary>The builds of a plan's arms, by (cell, arm).</summary>
public sealed class ArmBuilds(IReadOnlyDictionary<(string Cell, string Arm), BuildResult> results)
{
    private readonly Dictionary<string, string?> _il = new(StringComparer.Ordinal);

    public IReadOnlyDictionary<(string Cell, string Arm), BuildResult> Results => results;

    public BuildResult this[string cell, string arm] => results[(cell, arm)];

    public IEnumerable<Build> Builds => results.Values.Select(result => result.Build).OfType<Build>().DistinctBy(build => build.Identity, StringComparer.Ordinal);

    /// <summary>The journal's cells: build identities in place of recipes, and the reason where a cell can't be measured here.</summary>
    public IReadOnlyList<Cell> ToCells(RunPlan plan) => [.. plan.Cells.Select(ToCell)];

    // Of the bits that are launched, wherever they were built.
    private string? Il(Build build) => _il.TryGetValue(build.Identity, out var known) ? known : _il[build.Identity] = IlIdentity.Of(build.Folder);

    private Cell ToCell(PlannedCell planned) => planned.ToCell(
        arm => results.GetValueOrDefault((planned.Id, arm))?.Build?.Identity,
        arm => results.GetValueOrDefault((planned.Id, arm))?.Build is { Image: null } build ? Il(build) : null,
        planned.Arms.Select(arm => results.GetValueOrDefault((planned.Id, arm.Id))?.Unavailable).FirstOrDefault(reason => reason is not null));
}
