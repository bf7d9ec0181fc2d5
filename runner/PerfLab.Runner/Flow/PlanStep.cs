using PerfLab.Building.Manifests;
using PerfLab.Building.Runtimes;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Programs;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Flow;

/// <summary>Request -> plan: reads the manifests, finds out which runtimes can be had, and leaves every decision to the planner.</summary>
internal sealed class PlanStep(LabConfig config, RuntimeCatalog runtimes)
{
    /// <summary>Workloads that no manifest describes, by the project file that was named.</summary>
    public IReadOnlyDictionary<string, Workload> Projects { get; init; } = new Dictionary<string, Workload>(StringComparer.Ordinal);

    /// <summary>Where the arms' commits lie, for who knows it; null: the arms say which they are.</summary>
    public Checkouts? Checkouts { get; init; }

    /// <summary>The benchmarks of <see cref="Projects"/> are listed later: which of them are wanted is not asked yet.</summary>
    public bool IsOpen { get; init; }

    /// <summary>The plan; throws <see cref="WrongUseException"/> with all problems at once.</summary>
    /// <param name="request">What was asked for.</param>
    /// <param name="found">Problems that reading it found.</param>
    /// <param name="isCompared">False when nothing is called a verdict, so that the rounds need not be enough for one.</param>
    public RunPlan Make(BenchmarkRequest request, IReadOnlyCollection<Problem> found, bool isCompared = true)
    {
        var problems = found.ToList();
        var (named, set) = new WorkloadCatalog(config) { Projects = Projects }.Expand(request.Targets, request.Set, problems);
        var workloads = IsOpen ? named : new BenchmarkFilter(request.Filters, request.Categories).Of(named, problems);
        workloads = [.. workloads.Select(workload => Known(workload, request, set, problems))];
        var commits = Checkouts is null ? SourceCommits.Of(request, config, workloads, problems) : Checkouts.Place;
        var asked = request with { Set = WithAllBenchmarks(set, request, workloads), Asked = request.Asked ?? AskedRequest.Of(request) };
        var result = Planner.Plan(asked, new(workloads, runtimes.Resolve) { Releases = runtimes.ThatAreThere, Commits = commits });
        problems.AddRange(workloads.Count == 0 && problems.Count > 0 ? [] : result.Problems);
        if (isCompared && result.Plan is { } plan)
        {
            problems.AddRange(PolicyProblems(plan, request.WantsDirection));
        }

        WrongUseException.ThrowIfAny(problems);
        return result.Plan!;
    }

    /// <summary>plan.json on standard output, and what it comes to on the other.</summary>
    public static int Print(RunPlan plan, Terminal terminal)
    {
        using (var text = new TextStream(terminal.Out))
        {
            PlanFile.File.Write(new(plan), text);
        }

        terminal.Say(DryRun.Summary(plan));
        return ExitCode.Done;
    }

    public static RunPlan Read(string path) => InputFile.Read(PlanFile.File, path, "make one: `./perf-lab plan … > plan.json`").Plan;

    /// <summary>A workload with what only this machine knows: the targets that its SDK compiles, the versions that its package sources have.</summary>
    private Workload Known(Workload workload, BenchmarkRequest request, IReadOnlyDictionary<string, IReadOnlyList<string>> set, List<Problem> problems)
    {
        // Planning is a plain function of what can be had; the waits are in the catalogue.
        var (compiled, problem) = runtimes.CompilableAsync(workload).GetAwaiter().GetResult();
        problems.AddRange(problem is null ? [] : [problem]);
        var named = set.GetValueOrDefault(WorkloadDimensions.Framework, [])
            .Concat(request.Arms.Select(arm => arm.Values.GetValueOrDefault(WorkloadDimensions.Framework) ?? "")).Where(text => text.Length > 0).ToList();
        var known = runtimes.WithVersions(compiled, isAsked: name => named.Contains("*")
            || name == (workload.Frameworks is [var first, ..] ? first.Name : null)
            || named.Exists(text => text == name || text.StartsWith(name + "@", StringComparison.Ordinal)));
        TellUnlisted(known, named, request);
        return known;
    }

    /// <summary>A project may have a source of its own, so the build decides; but a dry run builds nothing.</summary>
    private void TellUnlisted(Workload workload, IEnumerable<string> named, BenchmarkRequest request)
    {
        if (request.Arms.Any(arm => arm.Values.ContainsKey(WorkloadDimensions.Source)))
        {
            return;
        }

        foreach (var choice in named.Select(text => FrameworkChoice.Parse(workload, text, "").Choice).OfType<FrameworkChoice>()
            .Where(choice => !choice.IsListed))
        {
            runtimes.Say($"{choice.Name}: no package source lists {string.Join(" and ", choice.Framework.Packages)} {choice.Version} "
                + $"(from {choice.Framework.From} on: {NearestNames.First([.. choice.Framework.Versions.Reverse()])}); the build will tell");
        }
    }

    /// <summary>Who names a project means all of it: each benchmark is a cell, unless somebody chose.</summary>
    private static IReadOnlyDictionary<string, IReadOnlyList<string>> WithAllBenchmarks(
        IReadOnlyDictionary<string, IReadOnlyList<string>> set, BenchmarkRequest request, IEnumerable<Workload> workloads)
    {
        var isChosen = set.ContainsKey(BenchmarkCases.Parameter)
            || request.Arms.Any(arm => arm.Values.ContainsKey(BenchmarkCases.Parameter));
        return isChosen || !workloads.Any(workload => workload.IsBenchmarkDotNet()) ? set
            : new SortedDictionary<string, IReadOnlyList<string>>(set.ToDictionary(StringComparer.Ordinal), StringComparer.Ordinal)
            {
                [BenchmarkCases.Parameter] = ["*"],
            };
    }

    /// <summary>Why no verdict could come of it.</summary>
    public static IEnumerable<Problem> PolicyProblems(RunPlan plan, bool wantsDirection = false)
    {
        return [.. PolicyRules.Problems(plan.Policy, Pairs(plan), wantsDirection),
            .. PolicyRules.TooFewMinutes(plan.Policy, plan.Estimate.LeastSeconds) is { } few ? [few] : Array.Empty<Problem>()];
    }

    /// <summary>(cell, arm) pairs that are compared; 0 in a session of one arm.</summary>
    public static int Pairs(RunPlan plan) => plan.Cells.Where(cell => cell.Unavailable is null).Sum(cell => cell.Arms.Count - 1);
}
