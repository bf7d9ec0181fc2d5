using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Programs;

namespace PerfLab.Runner.Commands.Options;

/// <summary>A target as it was typed: a name, or a path of a workload, a project, or what holds one.</summary>
internal static class ProjectTarget
{
    public static bool IsPath(string typed) =>
        typed is "." or ".." || typed.Contains('/') || BenchmarkProject.IsProject(typed) || BenchmarkSearch.IsSolution(typed);

    /// <summary>A name as it is; a path absolute, and of a folder or a solution the project in it.</summary>
    /// <param name="typed">On the command line.</param>
    /// <param name="terminal">Where it is relative to; hears which project was found.</param>
    /// <param name="problems">Gets what is wrong.</param>
    /// <returns>Null where a problem was added: nobody has to look for it again.</returns>
    public static string? Read(string typed, Terminal terminal, ICollection<Problem> problems)
    {
        if (!IsPath(typed))
        {
            return typed;
        }

        var path = Path.GetFullPath(Path.Combine(terminal.WorkingFolder, typed));
        var before = problems.Count;
        var meant = BenchmarkSearch.Meant(path, WorkloadManifest.FileName, problems);
        if (problems.Count > before)
        {
            return null;
        }

        if (meant != path)
        {
            terminal.Say($"{typed}: {Path.GetRelativePath(terminal.WorkingFolder, meant)}");
        }

        return meant;
    }
}
