using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Runner.Flow.Benchmarks;

/// <summary>
/// In which project a snippet is compiled: the one of what was named whose benchmarks are BenchmarkDotNet's. Its references, packages
/// and settings hold, so a snippet can use what the benchmarks of that project can use.
/// </summary>
internal static class SnippetProject
{
    private const string Instead = "A snippet stands in place of the source files of a C# project with benchmarks of BenchmarkDotNet.";

    /// <summary>The workload of that project, its benchmarks still to be listed; null with a problem added.</summary>
    /// <param name="workloads">What was named.</param>
    /// <param name="all">Names of those that could be named instead.</param>
    /// <param name="problems">Grows.</param>
    public static Workload? Among(IReadOnlyList<Workload> workloads, IEnumerable<string> all, ICollection<Problem> problems)
    {
        var projects = workloads.Where(workload => workload.IsBenchmarkDotNet())
            .DistinctBy(workload => Path.GetFullPath(Path.Combine(workload.Folder, workload.Build.Project!)), StringComparer.Ordinal)
            .ToList();
        if (projects is [{ Build.Project: { } project } only] && SnippetFile.FitsInto(project))
        {
            return only with { Parameters = [BenchmarkProject.Parameter([BenchmarkProject.Placeholder])] };
        }

        problems.Add(projects switch
        {
            [] => new("snippet", "none of what is named is a project of BenchmarkDotNet.",
                $"{Instead} Name one with --workload: {string.Join(", ", all)}."),
            [var other] => new("snippet", $"{other.Name} is no C# project: {other.Build.Project}.", Instead),
            _ => new("snippet", $"several projects could hold it: {string.Join(", ", projects.Select(one => one.Name))}.",
                "Name one with --workload."),
        });
        return null;
    }

    /// <summary>Workloads by manifest among the targets: the benchmarks that it lists are the project's, and not measured.</summary>
    /// <param name="config">Where the workloads are.</param>
    /// <param name="projects">Projects among the targets, and of their suites: these are no manifests.</param>
    /// <param name="request">Whose targets.</param>
    /// <param name="problems">Grows.</param>
    public static IEnumerable<(string Target, Workload Workload)> Named(
        LabConfig config, IReadOnlyDictionary<string, string> projects, BenchmarkRequest request, ICollection<Problem> problems)
    {
        var catalog = new WorkloadCatalog(config);
        foreach (var target in request.Targets.Where(target => !projects.ContainsKey(target) && !config.Suites.Any(suite => suite.Name == target)))
        {
            if (catalog.Read(target, problems) is { } workload && Among([workload], catalog.Names, problems) is { } found)
            {
                yield return (target, found);
            }
        }
    }
}
