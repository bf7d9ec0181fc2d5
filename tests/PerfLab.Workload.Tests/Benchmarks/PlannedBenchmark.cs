using System.Collections.Concurrent;
using PerfLab.Building;
using PerfLab.Building.Runtimes;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Launching.Proof;

namespace PerfLab.Workload.Tests.Benchmarks;

/// <summary>One benchmark of a project, planned and built as the lab does it, with one arm.</summary>
internal static class PlannedBenchmark
{
    // MSBuild is asked once for each project: no test of these changes one.
    private static readonly ConcurrentDictionary<string, Task<PerfLab.Core.Model.Workload>> Read = new(StringComparer.Ordinal);

    /// <param name="lab">Builds.</param>
    /// <param name="project">Path of the project file.</param>
    /// <param name="name">Of the benchmark.</param>
    /// <param name="package">"BenchmarkDotNet@0.15.8" in place of what the project refers to.</param>
    /// <param name="release">It runs on; compiled for the highest target that the project has and this runs.</param>
    public static async Task<(PlannedCell Cell, LaunchSpecs Launches)> MakeAsync(
        Lab lab, string project, string name, string? package = null, string release = "net10.0")
    {
        var runtime = new ResolvedRuntime(release, release, lab.PatchHere(release), null);
        var workload = await Read.GetOrAdd(project, ReadAsync);
        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        if (package is not null)
        {
            values["package"] = package;
        }

        var plan = Planner.Plan(
            new BenchmarkRequest { Targets = [], Arms = [new("head", values)], Rounds = (0, 1), Seed = 1 },
            new([workload with { Parameters = [BenchmarkProject.Parameter([name])] }], (_, _) => (runtime, null))).Plan!;
        var cell = plan.Cells.Single();
        var build = await lab.BuiltAsync(cell.Arms[0].Recipe);
        return (cell, new("test", new ArmBuilds(new Dictionary<(string, string), BuildResult> { [(cell.Id, "head")] = new(build, null, null) }), cpus: null));
    }

    private static async Task<PerfLab.Core.Model.Workload> ReadAsync(string project)
    {
        var problems = new List<Problem>();
        var workload = await BenchmarkProject.ReadAsync(project, new DotnetCli(), problems, CancellationToken.None);
        problems.ShouldBeEmpty();
        var (compiled, none) = await new RuntimeCatalog(Path.GetTempPath(), new DotnetCli()).CompilableAsync(workload.ShouldNotBeNull());
        none.ShouldBeNull();
        return compiled;
    }
}
