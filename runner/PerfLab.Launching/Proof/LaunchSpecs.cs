using System.Collections.Concurrent;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Results;

namespace PerfLab.Launching.Proof;

/// <summary>
/// The one place where a planned arm becomes a launch: measured launches and those that only prove settings get the same cores, environment
/// and limits.
/// </summary>
/// <param name="cpus">Cores for workloads, in the kernel's list form; null leaves the choice to the executor.</param>
public sealed class LaunchSpecs(string session, ArmBuilds builds, string? cpus)
{
    private readonly ConcurrentDictionary<(string Identity, string Packages), IReadOnlyList<PackageAssembly>> _packages = new();

    /// <param name="pad">Bytes of <see cref="EnvironmentPad"/>, the same for every arm of a round.</param>
    /// <param name="trace">What a traced launch is told besides; null for a measured one.</param>
    /// <param name="run">How much a benchmark of BenchmarkDotNet does; null for a pilot, and for what is none.</param>
    public LaunchSpec Of(PlannedCell cell, PlannedArm arm, string nonce, int pad, TraceVariables? trace = null, BenchmarkRun? run = null) => new()
    {
        Session = session,
        Build = builds[cell.Id, arm.Id].Build!,
        Command = arm.Command,
        Environment = [.. LaunchEnvironment.For(cell, arm, nonce, pad), .. BenchmarkVariables(cell, run), .. ProofVariables.Variables(arm),
            .. trace?.Values ?? []],
        // A traced launch is not asked for the rundown: asking would be part of what the JIT does there.
        OutFiles =
        [
            .. NodeVariables.Files(cell),
            .. BenchmarkFiles(cell),
            .. ProofVariables.Files(arm).Where(file => trace is null || file.Value != ProofVariables.SettingsFile),
            .. trace is null ? Array.Empty<KeyValuePair<string, string>>() : [trace.File],
        ],
        Nodes = arm.Nodes ?? [],
        Resources = cell.ResourcesOf(arm),
        Cpus = CpusFor(cell.ResourcesOf(arm), arm.Nodes?.Count ?? 1),
        Timeout = TimeSpan.FromSeconds(cell.Launch.TimeoutSeconds),
    };

    /// <summary>What a launch of the arm must have loaded of the packages that it names, if it loads them.</summary>
    public IReadOnlyList<PackageAssembly> PackagesOf(PlannedCell cell, PlannedArm arm)
    {
        var packages = arm.Recipe.Properties.GetValueOrDefault(Recipes.PackagesProperty);
        return packages is null || builds[cell.Id, arm.Id].Build is not { } build ? [] : _packages.GetOrAdd((build.Identity, packages),
            _ => PublishedPackages.Assemblies(build.Folder, arm.Command, PackageChoice.Of(packages)));
    }

    private static bool IsBenchmark(PlannedCell cell) => cell.Result == ResultFormat.BenchmarkDotNet;

    private static IEnumerable<KeyValuePair<string, string>> BenchmarkFiles(PlannedCell cell) =>
        IsBenchmark(cell) ? [new(BenchmarkRun.ReportVariable, BenchmarkRun.ReportFile)] : [];

    private static IEnumerable<KeyValuePair<string, string>> BenchmarkVariables(PlannedCell cell, BenchmarkRun? run) =>
        IsBenchmark(cell) ? [new(BenchmarkRun.Variable, run?.ToString() ?? "")] : [];

    /// <summary>As many cores as the workload asks for, the last ones: the first cores serve most interrupts. All of them when there are not enough.</summary>
    /// <param name="nodes">Each of them gets its own, where there are enough.</param>
    public string? CpusFor(Resources resources, int nodes = 1) => cpus is not null && CpuList.TryParse(cpus, out var pool)
        ? CpuList.Format([.. pool.TakeLast(Math.Max(1, resources.Cpus) * nodes)])
        : null;
}
