using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;

namespace PerfLab.Runner.Flow.Benchmarks;

/// <summary>The projects with benchmarks of BenchmarkDotNet that a request names: by their file, by a suite of perf-lab.yaml, or by
/// the name that it has there without folder and extension.</summary>
internal static class SuiteProjects
{
    /// <summary>The projects as they are written, each with its absolute path.</summary>
    /// <param name="targets">Of a request.</param>
    /// <param name="config">Whose suites may name projects, relative to perf-lab.yaml.</param>
    /// <param name="problems">Grows by projects of suites that lie outside of the repository: base and head would share them.</param>
    public static IReadOnlyDictionary<string, string> Of(IReadOnlyList<string> targets, LabConfig config, ICollection<Problem> problems)
    {
        var root = Path.GetFullPath(config.Root);
        var found = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var target in targets.Where(BenchmarkProject.IsProject))
        {
            found[target] = Path.GetFullPath(target);
        }

        foreach (var (suite, project) in config.Suites.SelectMany(suite => suite.Workloads.Where(BenchmarkProject.IsProject)
            .Select(project => (suite.Name, Project: project))))
        {
            // A report names the workload, which is the project's name, and so may a person.
            var name = Path.GetFileNameWithoutExtension(project);
            var named = targets.Contains(suite, StringComparer.Ordinal) ? project
                : targets.Contains(name, StringComparer.Ordinal) && !found.ContainsKey(name) ? name : null;
            var file = Path.GetFullPath(Path.Combine(root, project));
            if (named is not null && file.StartsWith(root + Path.DirectorySeparatorChar, StringComparison.Ordinal))
            {
                found[named] = file;
            }
            else if (named is not null)
            {
                problems.Add(new($"suites.{suite}", $"{project} lies outside of {root}.",
                    "Name a project of this repository, relative to perf-lab.yaml."));
            }
        }

        return found;
    }
}
