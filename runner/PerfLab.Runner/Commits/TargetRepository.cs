using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Runner.Sessions;
using PerfLab.Core.Planning.Requests;
using PerfLab.Runner.Flow;

namespace PerfLab.Runner.Commits;

/// <summary>The repository in which the one workload, or the project, lies.</summary>
internal static class TargetRepository
{
    /// <returns>Null with a problem added.</returns>
    public static Git? Of(BenchmarkRequest request, Lab lab, List<Problem> problems, string command)
    {
        var target = request.Targets[0];
        var folder = BenchmarkProject.IsProject(target) ? Path.GetDirectoryName(target)!
            : new WorkloadCatalog(lab.Config).Expand([target], request.Set, problems).Workloads is [var workload] ? workload.Folder : null;
        if (folder is null)
        {
            if (problems.Count == 0)
            {
                problems.Add(new("target", $"{command} takes exactly one workload; '{target}' names several.",
                    "Name a workload, not a suite."));
            }

            return null;
        }

        var (repository, says) = SourceRepository.Of(folder);
        if (repository is null)
        {
            problems.Add(new("target", $"{folder} lies in no git repository: {says}", "Only what git keeps can be searched."));
        }

        return repository is null ? null : new(repository.Top);
    }
}
