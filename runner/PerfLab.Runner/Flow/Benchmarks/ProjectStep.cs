using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Launching;
using PerfLab.Launching.Results;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow.Benchmarks;

/// <summary>
/// Project files among the targets -> workloads: each is built as its arms will be, and asked which benchmarks it holds. One that only some
/// arms hold has a row that says so: a new benchmark has nothing to be compared with.
/// </summary>
internal sealed class ProjectStep(Lab lab, string executor)
{
    /// <summary>By target; empty when no project was named.</summary>
    public async Task<IReadOnlyDictionary<string, Workload>> FindAsync(
        BenchmarkRequest request, IReadOnlyCollection<Problem> found, CancellationToken cancellationToken)
    {
        var problems = found.ToList();
        var projects = await ReadAsync(lab, request, problems, cancellationToken);

        if (projects.Count == 0 && problems.Count == found.Count)
        {
            return projects;
        }

        WrongUseException.ThrowIfAny(problems);
        await using var launcher = await lab.Executors.ChooseSilentlyAsync(executor, cancellationToken);
        foreach (var (target, workload) in projects.ToList())
        {
            projects[target] = await ListedAsync(target, workload, request, launcher, cancellationToken);
        }

        return projects;
    }

    /// <summary>The project files among the targets and their suites, as MSBuild knows them; their benchmarks are not listed yet.</summary>
    public static async Task<Dictionary<string, Workload>> ReadAsync(
        Lab lab, BenchmarkRequest request, List<Problem> problems, CancellationToken cancellationToken)
    {
        var files = SuiteProjects.Of(request.Targets, lab.Config, problems);
        var named = request.Snippet is null ? [] : SnippetProject.Named(lab.Config, files, request, problems);
        var projects = named.ToDictionary(one => one.Target, one => one.Workload, StringComparer.Ordinal);
        foreach (var (target, file) in files)
        {
            if (await BenchmarkProject.ReadAsync(file, lab.Dotnet, problems, cancellationToken, request.CurrentSdk) is { } workload)
            {
                projects[target] = workload;
                if (request.Snippet is not null)
                {
                    SnippetProject.Among([workload], [], problems); // says why a snippet does not fit into it
                }
            }
        }

        return projects;
    }

    private async Task<Workload> ListedAsync(string target, Workload workload, BenchmarkRequest request, ILauncher launcher,
        CancellationToken cancellationToken)
    {
        var plan = new PlanStep(lab.Config, lab.Runtimes(request, cancellationToken))
        {
            Projects = new Dictionary<string, Workload>(StringComparer.Ordinal) { [target] = workload },
        }.Make(Unlisted(request, [target]), [], isCompared: false);
        SourceCommits.CheckOut(plan, lab.Config);
        var builds = await new BuildStep(lab.BuilderFor(launcher), lab.Terminal).RunAsync(plan, cancellationToken);
        // One list for each state of the sources: the runtime does not change what there is.
        var built = plan.Cells.SelectMany(cell => cell.Arms.Select(arm => (Cell: cell, Arm: arm)))
            .Where(pair => builds[(pair.Cell.Id, pair.Arm.Id)].Build is not null)
            .DistinctBy(pair => pair.Arm.Recipe.Folder, StringComparer.Ordinal).ToList();
        var notBuilt = NotBuilt(plan, builds);
        if (plan.Cells.All(cell => cell.Unavailable is not null
            || cell.Arms.Any(arm => notBuilt.ContainsKey((arm.Id, arm.Recipe.RuntimePatch)))))
        {
            // Each build has said its errors. A row takes every arm, so there is nothing to plan.
            var why = notBuilt.Values.FirstOrDefault() ?? plan.Cells[0].Unavailable!;
            throw new LabException($"building {workload.Name}", why, why.StartsWith("runtime ", StringComparison.Ordinal)
                ? Invariant($"a newer runtime runs what was built for an older one, too: --runtime net{Environment.Version.Major}.0")
                : "what is missing is named above; what builds in your clone and not here lacks a file that git does not keep");
        }

        var same = SameBits(request, plan, builds);
        foreach (var line in new ArmBuilds(builds).Overruled(plan.Cells).Concat(same.Select(arm =>
            $"{arm.Arm} builds the same bits as {plan.Cells[0].Arms[0].Id}: identical-build, and nothing of it is launched").Distinct(StringComparer.Ordinal)))
        {
            lab.Terminal.Say($"  {line}");
        }

        await launcher.PrepareAsync([.. built.Select(pair => builds[(pair.Cell.Id, pair.Arm.Id)].Build!)
            .DistinctBy(build => build.Identity, StringComparer.Ordinal)], cancellationToken);
        var lists = new List<(string Arm, BenchmarkList List)>();
        foreach (var (cell, arm) in built)
        {
            lists.Add((arm.Id, await ListAsync(workload, cell, arm, new(builds), launcher, cancellationToken)));
        }

        return With(workload with { NotBuilt = notBuilt, SameBits = same }, lists);
    }

    /// <summary>Arms that give the bits of the reference, each with its patch of the runtime: nothing of them is launched.</summary>
    private static HashSet<(string Arm, string? Patch)> SameBits(
        BenchmarkRequest request, RunPlan plan, IReadOnlyDictionary<(string Cell, string Arm), BuildResult> builds)
    {
        // Two benchmarks of one build are two things to launch, and this plan knows of neither.
        var isCertain = !plan.IsAa && !request.Arms.Any(arm => arm.Values.ContainsKey(BenchmarkCases.Parameter));
        (string?, IReadOnlyDictionary<string, string>) Of(PlannedCell cell, PlannedArm arm) =>
            (builds[(cell.Id, arm.Id)].Build?.Identity, arm.Dimensions);
        return !isCertain ? [] : [.. plan.Cells
            .SelectMany(cell => cell.Arms.Skip(1).Where(arm => PairEvidence.AreIdentical(Of(cell, cell.Arms[0]), Of(cell, arm)))
                .Select(arm => (arm.Id, arm.Recipe.RuntimePatch)))];
    }

    /// <summary>The arms without a build, and why in a line.</summary>
    private static Dictionary<(string Arm, string? Patch), string> NotBuilt(
        RunPlan plan, IReadOnlyDictionary<(string Cell, string Arm), BuildResult> builds)
    {
        var why = new Dictionary<(string Arm, string? Patch), string>();
        foreach (var (cell, arm) in plan.Cells.SelectMany(cell => cell.Arms.Select(arm => (Cell: cell, Arm: arm))))
        {
            if (builds[(cell.Id, arm.Id)] is { Build: null } result && cell.Unavailable is null)
            {
                why[(arm.Id, arm.Recipe.RuntimePatch)] = $"{arm.Id} can't be built: {result.Unavailable ?? "the errors above"}";
            }
        }

        return why;
    }

    /// <summary>The request without what it says of benchmarks: their names are what it is about to find.</summary>
    public static BenchmarkRequest Unlisted(BenchmarkRequest request, IReadOnlyList<string> targets) => request with
    {
        Targets = targets,
        Filters = [],
        Categories = null,
        Rounds = (0, 1),
        Arms = [.. request.Arms.Select(arm => arm with { Values = Without(arm.Values) })],
        Set = Without(request.Set),
    };

    private static Dictionary<string, T> Without<T>(IReadOnlyDictionary<string, T> values) =>
        values.Where(pair => pair.Key != BenchmarkCases.Parameter).ToDictionary(StringComparer.Ordinal);

    private async Task<BenchmarkList> ListAsync(
        Workload workload, PlannedCell cell, PlannedArm arm, ArmBuilds builds, ILauncher launcher, CancellationToken cancellationToken)
    {
        var (list, why) = await BenchmarkLister.ListAsync(lab, (cell, arm), builds, launcher, cancellationToken);
        if (list is null)
        {
            throw new LabException($"listing the benchmarks of {workload.Name}", why!, BenchmarkLister.WhatToDo(why!));
        }

        foreach (var problem in list.Problems)
        {
            lab.Terminal.Say($"  not measured: {problem}");
        }

        return list;
    }

    private Workload With(Workload workload, IReadOnlyList<(string Arm, BenchmarkList List)> lists)
    {
        if (ListedBenchmarks.Of(lists) is not { } benchmarks)
        {
            throw new LabException($"listing the benchmarks of {workload.Name}", ListedBenchmarks.None, ListedBenchmarks.WhatToDo);
        }

        lab.Terminal.Say($"  {Counted.Of(benchmarks.Values.Count, "benchmark")} in {workload.Name}");
        return workload with { Parameters = [benchmarks] };
    }
}
