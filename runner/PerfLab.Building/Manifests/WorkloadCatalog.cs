using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Building.Manifests;

/// <summary>Finds workloads: by name in the folders of perf-lab.yaml, or as a folder anywhere when the argument holds a slash.</summary>
public sealed class WorkloadCatalog(LabConfig config)
{
    private const string HowTo = "docs/workloads.md shows how to make a workload.";

    /// <summary>Names of all workloads, sorted; none is read for it.</summary>
    public IReadOnlyList<string> Names { get; } =
    [
        .. config.WorkloadFolders.Where(Directory.Exists).SelectMany(Directory.EnumerateDirectories)
            .Where(folder => File.Exists(Path.Combine(folder, WorkloadManifest.FileName)))
            .Select(folder => Path.GetFileName(folder)!).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal),
    ];

    private IEnumerable<string> NamesAndSuites => Names.Concat(config.Suites.Select(suite => suite.Name));

    /// <summary>Workloads that no manifest describes, by the project file that was named.</summary>
    public IReadOnlyDictionary<string, Workload> Projects { get; init; } = new Dictionary<string, Workload>(StringComparer.Ordinal);

    /// <summary>The workload of that name or folder, or null with problems added.</summary>
    public Workload? Read(string nameOrFolder, ICollection<Problem> problems)
    {
        if (Projects.TryGetValue(nameOrFolder, out var named))
        {
            return named;
        }

        if (BenchmarkProject.IsProject(nameOrFolder))
        {
            problems.Add(new(nameOrFolder,
                "is a project: which benchmarks it holds is known when it is built, and this command must know them before.",
                "`./perf-lab run` takes it, and prints the plan with --dry-run --json. A workload.yaml that lists them is for every command: docs/benchmarkdotnet.md."));
            return null;
        }

        if (nameOrFolder.Contains('/'))
        {
            if (File.Exists(Path.Combine(nameOrFolder, WorkloadManifest.FileName)))
            {
                return WorkloadManifest.Read(Path.GetFullPath(nameOrFolder).TrimEnd('/'), problems, isNamed: false);
            }

            var missing = Directory.Exists(nameOrFolder) ? $"there is no {WorkloadManifest.FileName} in this folder."
                : $"there is no folder {Path.GetFullPath(nameOrFolder)}.";
            problems.Add(new(nameOrFolder, missing, HowTo));
            return null;
        }

        if (FolderOf(nameOrFolder) is { } folder)
        {
            return Inside(WorkloadManifest.Read(folder, problems), problems);
        }

        problems.Add(new(
            nameOrFolder, "is neither a workload nor a suite.",
            $"{(Directory.Exists(nameOrFolder) ? $"A folder is written with a slash: {nameOrFolder}/." : NearestNames.Suggest(nameOrFolder, NamesAndSuites))} {HowTo}"));
        return null;
    }

    /// <summary>
    /// A project may lie anywhere in the lab's repository: a checkout of a commit holds it, too. Beyond it, arms would share one.
    /// </summary>
    private Workload? Inside(Workload? workload, ICollection<Problem> problems)
    {
        var root = Path.GetFullPath(config.Root) + Path.DirectorySeparatorChar;
        if (workload?.Build.Project is { } project && workload.Folder.StartsWith(root, StringComparison.Ordinal)
            && !Path.GetFullPath(Path.Combine(workload.Folder, project)).StartsWith(root, StringComparison.Ordinal))
        {
            problems.Add(new(Path.Combine(workload.Folder, WorkloadManifest.FileName),
                $"build.project must lie inside {config.Root}, is {project}"));
            return null;
        }

        return workload;
    }

    /// <summary>The folder in which a name is found, or null.</summary>
    public string? FolderOf(string name) => config.WorkloadFolders.Select(parent => Path.Combine(parent, name))
        .FirstOrDefault(path => File.Exists(Path.Combine(path, WorkloadManifest.FileName)));

    /// <summary>Suites and names of a request as workloads, each once, and the suites' values where the request has none.</summary>
    public (IReadOnlyList<Workload> Workloads, IReadOnlyDictionary<string, IReadOnlyList<string>> Set) Expand(
        IReadOnlyList<string> targets, IReadOnlyDictionary<string, IReadOnlyList<string>> asked, ICollection<Problem> problems)
    {
        var set = new SortedDictionary<string, IReadOnlyList<string>>(StringComparer.Ordinal);
        var names = new List<string>();
        foreach (var target in targets)
        {
            var suite = config.Suites.FirstOrDefault(known => known.Name == target);
            names.AddRange(suite is null ? [target] : suite.Workloads.SelectMany(name => name == "*" ? Names : [name]));
            foreach (var (dimension, values) in suite?.Set ?? [])
            {
                set[dimension] = [.. values.Select(value => value.Text)];
            }
        }

        foreach (var (dimension, values) in asked)
        {
            set[dimension] = values;
        }

        var workloads = names.Distinct(StringComparer.Ordinal).Select(name => Read(name, problems) ?? Meant(name)).OfType<Workload>().ToList();
        return (workloads, set);
    }

    /// <summary>The workload that a wrong name probably means: what else is wrong is told with it, at once. Nothing is measured by a guess,
    /// because the wrong name is a problem already.</summary>
    private Workload? Meant(string name) => NearestNames.Near(name, NamesAndSuites) is [var nearest, ..] && Names.Contains(nearest, StringComparer.Ordinal)
        ? Read(nearest, []) : null;
}
