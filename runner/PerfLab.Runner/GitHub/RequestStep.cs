using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Building.Runtimes;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Launching.Results;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Flow.Benchmarks;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.GitHub;

/// <summary>
/// request.json -> plan: the names are looked up, base and head become checkouts, and the budget of perf-lab.yaml holds. A request that
/// names a project of BenchmarkDotNet, or brings a snippet, gets an open plan, and the whole one when both arms are built and have listed
/// their benchmarks.
/// </summary>
internal sealed class RequestStep(LabConfig config, RuntimeCatalog runtimes)
{
    /// <summary>Rows of benchmarks that only base or only head has: a pull request could bring thousands.</summary>
    private const int MostMissing = 100;

    private readonly RequestBudget _budget = new(config);

    /// <summary>Workloads that no manifest describes, by the project that a suite names.</summary>
    public IReadOnlyDictionary<string, Workload> Projects { get; init; } = new Dictionary<string, Workload>(StringComparer.Ordinal);

    /// <summary>The plan; throws <see cref="WrongUseException"/> with every problem, which becomes the reply to the comment.</summary>
    /// <param name="file">What the gate accepted.</param>
    /// <param name="found">Problems that reading its projects found.</param>
    /// <param name="seed">Of every order that is drawn.</param>
    /// <param name="folderOf">Where "base" and "head" are, or will be, checked out.</param>
    public RunPlan Make(RequestFile file, IReadOnlyCollection<Problem> found, ulong seed, Func<string, string> folderOf)
    {
        var problems = found.ToList();
        var (machine, request) = Asked(file, seed, problems);
        if (request.Targets.Count == 0)
        {
            problems.Add(new("suite", "neither a suite nor a workload is named.", $"Valid suites: {string.Join(", ", config.Suites.Select(suite => suite.Name))}."));
        }

        var projects = Projects;
        if (file.Snippet is not null)
        {
            (request, projects) = OfSnippet(request, projects, problems);
        }

        var (workloads, _) = new WorkloadCatalog(config) { Projects = projects }.Expand(request.Targets, request.Set, []);
        problems.AddRange(workloads.GroupBy(workload => workload.Name, StringComparer.Ordinal).Where(alike => alike.Skip(1).Any())
            .Select(alike => new Problem(alike.Key, "is the name of two workloads of this request.", "Rename one of the projects.")));
        IReadOnlyList<string> unlisted = [.. workloads.Where(workload => projects.Values.Contains(workload)).Select(workload => workload.Name)];
        var plans = new PlanStep(config, runtimes)
        {
            Projects = projects,
            IsOpen = unlisted.Count > 0,
            Checkouts = new(
                [Checkout.OfCommit("base", file.Base, folderOf("base")), Checkout.OfCommit("head", file.Head, folderOf("head"))], config.Root),
        };
        var plan = _budget.Fitting(request, machine, file.Words.Sessions, one => plans.Make(one, problems));
        if (unlisted.Count == 0)
        {
            return _budget.Spread(plan, machine);
        }

        var open = plan with { Unlisted = unlisted };
        return open with { Hash = PlanFile.Hash(open) };
    }

    /// <summary>
    /// The same for an open plan, when its arms have listed what they hold. Nothing is asked of anybody, and nothing of the arms but their
    /// lists is read: the plan is what it would have been with a manifest of these names.
    /// </summary>
    public RunPlan Complete(RequestFile file, RunPlan open, IReadOnlyList<BenchmarksFile> lists)
    {
        var problems = new List<Problem>();
        var (machine, request) = Asked(file, open.Seed, problems);
        IReadOnlyDictionary<string, Workload> unlisted = SuiteProjects.Of(request.Targets, config, problems)
            .ToDictionary(pair => pair.Key, pair => BenchmarkProject.Of(pair.Value, []), StringComparer.Ordinal);
        if (file.Snippet is not null)
        {
            (request, unlisted) = OfSnippet(request, unlisted, problems);
        }

        var projects = unlisted.ToDictionary(
            pair => pair.Key, pair => Listed(pair.Value, lists, file.Snippet is not null, problems), StringComparer.Ordinal);
        WrongUseException.ThrowIfAny(problems);
        var (named, _) = new WorkloadCatalog(config) { Projects = projects }.Expand(request.Targets, request.Set, problems);
        var workloads = new BenchmarkFilter(request.Filters, request.Categories).Of(named, problems);
        WrongUseException.ThrowIfAny(problems);
        return _budget.Spread(_budget.Fitting(request, machine, file.Words.Sessions, one =>
        {
            var plan = OpenPlan.Complete(open, one, workloads);
            WrongUseException.ThrowIfAny([.. PlanStep.PolicyProblems(plan)]);
            return plan;
        }), machine);
    }

    /// <summary>The project that a snippet is built in, in place of all that was named, with the values that make the cells of the suite.</summary>
    private (BenchmarkRequest Request, IReadOnlyDictionary<string, Workload> Projects) OfSnippet(
        BenchmarkRequest request, IReadOnlyDictionary<string, Workload> named, List<Problem> problems)
    {
        var catalog = new WorkloadCatalog(config) { Projects = named };
        var (workloads, set) = catalog.Expand(request.Targets, request.Set, problems);
        var found = workloads.Count == 0 ? null : SnippetProject.Among(workloads, catalog.Names, problems);
        WrongUseException.ThrowIfAny(problems);
        var projects = new Dictionary<string, Workload>(StringComparer.Ordinal) { [found!.Name] = found };
        // What the suite chooses of the project's own benchmarks is no choice among these.
        var cells = set.Where(pair => pair.Key != BenchmarkCases.Parameter).ToDictionary(StringComparer.Ordinal);
        return (request with { Targets = [found.Name], Set = cells }, projects);
    }

    private static Workload Listed(Workload workload, IReadOnlyList<BenchmarksFile> lists, bool isSnippet, List<Problem> problems)
    {
        var held = lists.Select(list => (list.Arm, Project: list.Projects.FirstOrDefault(project => project.Workload == workload.Name))).ToList();
        foreach (var (arm, project) in held.Where(one => one.Project is not { Why: null }))
        {
            var why = project?.Why is { } said ? Quote.Of(said, 600) : "it is not in the list of what was built";
            problems.Add(new(workload.Name, $"the benchmarks of {arm} can't be listed: {why}.", BenchmarkLister.WhatToDo(why)));
        }

        var benchmarks = problems.Count > 0 ? null
            : ListedBenchmarks.Of([.. held.Select(one => (one.Arm, new BenchmarkList(one.Project!.Benchmarks, one.Project.Problems)))], MostMissing);
        if (problems.Count == 0 && benchmarks is null)
        {
            problems.Add(new(isSnippet ? "snippet" : workload.Name, ListedBenchmarks.None + ".",
                isSnippet ? "A block of C# that is only an example begins with ```text." : ListedBenchmarks.WhatToDo));
        }

        return benchmarks is null ? workload : workload with { Parameters = [benchmarks] };
    }

    private (MachineDefinition? Machine, BenchmarkRequest Request) Asked(RequestFile file, ulong seed, List<Problem> problems)
    {
        var name = file.Words.Machine;
        var machine = config.Machines.FirstOrDefault(known => known.Name == name);
        if (name is not null && machine is null)
        {
            problems.Add(new("--machine", $"'{name}' is not a machine of this lab.", NearestNames.Suggest(name, config.Machines.Select(known => known.Name))));
        }

        machine ??= config.Machines.FirstOrDefault(known => known.Name == config.Github.Machine);
        return (machine, file.ToBenchmarkRequest(config.Policy, seed) with { Machine = machine?.PricePerHour is { } price ? new(machine.Name, price) : null });
    }
}
