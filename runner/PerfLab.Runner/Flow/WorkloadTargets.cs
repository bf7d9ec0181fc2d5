using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Programs;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow;

/// <summary>How the workloads of a plan that their names do not find are written on the command line: by folder.</summary>
internal static class WorkloadTargets
{
    /// <summary>
    /// By cell, "./mine" below the working folder and the whole path elsewhere. Left out is what the name finds, and what is not here: a plan may
    /// come from another machine, or name checkouts of commits, which `source=COMMIT` makes again.
    /// </summary>
    public static IReadOnlyDictionary<string, string> Of(RunPlan plan, Terminal terminal)
    {
        var targets = new Dictionary<string, string>(StringComparer.Ordinal);
        if (LabConfig.Read(terminal.Root, []) is not { } config)
        {
            return targets; // whoever only reads a session need not be told that perf-lab.yaml is broken
        }

        var (catalog, checkouts) = (new WorkloadCatalog(config), SourceCommits.FolderOf(config) + "/");
        foreach (var cells in plan.Cells.GroupBy(cell => (cell.Workload, Folder: FolderOf(cell))))
        {
            if (ProjectOf(cells.First(), plan) is { } project)
            {
                foreach (var cell in cells)
                {
                    targets[cell.Id] = From(terminal.WorkingFolder, project);
                }
            }
            else if (cells.Key.Folder is { } folder && folder != catalog.FolderOf(cells.Key.Workload)
                && !folder.StartsWith(checkouts, StringComparison.Ordinal)
                && File.Exists(Path.Combine(folder, WorkloadManifest.FileName)))
            {
                foreach (var cell in cells)
                {
                    targets[cell.Id] = From(terminal.WorkingFolder, folder);
                }
            }
        }

        return targets;
    }

    /// <summary>
    /// Cells of a project that nothing here finds, neither by its file nor by its name: the plan is not known, or was made elsewhere. Of a
    /// pull request the name is enough, since its lab's suites have the project.
    /// </summary>
    /// <param name="cells">Of the journal.</param>
    /// <param name="plan">Its plan; null: nobody knows it.</param>
    /// <param name="found">What <see cref="Of"/> found.</param>
    /// <param name="terminal">In whose lab a name is looked for.</param>
    public static IReadOnlySet<string> NotFound(
        IEnumerable<Cell> cells, RunPlan? plan, IReadOnlyDictionary<string, string> found, Terminal terminal)
    {
        var lost = cells.Where(cell => IsOfProject(cell) && plan?.Request?.PullRequest is null && !found.ContainsKey(cell.Id)).ToList();
        var config = lost.Count == 0 ? null : LabConfig.Read(terminal.Root, []);
        var named = (config?.Suites ?? []).SelectMany(suite => suite.Workloads).Where(BenchmarkProject.IsProject)
            .Select(Path.GetFileNameWithoutExtension).ToHashSet(StringComparer.Ordinal);
        return lost.Where(cell => !named.Contains(cell.Workload)
            && (config is null || new WorkloadCatalog(config).FolderOf(cell.Workload) is null))
            .Select(cell => cell.Id).ToHashSet(StringComparer.Ordinal);
    }

    private static bool IsOfProject(Cell cell) => cell.Parameters.Keys.Concat(cell.Arms.SelectMany(arm => arm.Dimensions.Keys))
        .Contains(BenchmarkCases.Parameter, StringComparer.Ordinal);

    /// <summary>The project file that was named, where there is no manifest; its arms may be built from checkouts.</summary>
    private static string? ProjectOf(PlannedCell cell, RunPlan plan) => !cell.Arms[0].Recipe.IsBenchmarkDotNet ? null
        : plan.Request?.Targets.FirstOrDefault(target => Path.GetFileName(target) == cell.Arms[0].Recipe.Project && File.Exists(target));

    // Base and head of a pull request lie in two folders.
    private static string? FolderOf(PlannedCell cell) =>
        cell.Arms.Select(arm => arm.Recipe.Folder).Distinct(StringComparer.Ordinal).ToList() is [var only] ? only : null;

    private static string From(string working, string folder)
    {
        var relative = Path.GetRelativePath(working, folder);
        return relative == "." ? "./"
            : relative == ".." || relative.StartsWith("../", StringComparison.Ordinal) || Path.IsPathRooted(relative) ? folder
            : "./" + relative;
    }
}
