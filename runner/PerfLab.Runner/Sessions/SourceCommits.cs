using System.Text.RegularExpressions;
using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// `source=REF` and `source=.` on the command line: the same arms as those of a pull request
/// (docs/decisions/0005-a-pull-request-as-arms.md), so that the line under a pull request's row can be pasted into a clone. Words become
/// commits here, once; the plan has the commits.
/// </summary>
internal static partial class SourceCommits
{
    /// <summary>What gives each arm its files; null where no arm names a commit or a working tree.</summary>
    public static Func<PlannedArm, Workload, PlannedArm>? Of(
        BenchmarkRequest request, LabConfig config, IReadOnlyList<Workload> workloads, ICollection<Problem> problems)
    {
        var named = request.Arms.Where(arm => arm.Values.ContainsKey(WorkloadDimensions.Source)).ToList();
        if (named.Count == 0 || ArePathsOfFrameworks(named, workloads))
        {
            foreach (var problem in request.BenchmarksOfHead ? HeadBenchmarks.Problems([], "", []) : [])
            {
                problems.Add(problem);
            }

            return null;
        }

        if (named.Count < request.Arms.Count)
        {
            problems.Add(new(WorkloadDimensions.Source, "is given in one arm and not in the other.",
                "Name it in every arm: --base HEAD --head . compares the last commit with the working tree."));
        }

        var places = new Dictionary<string, Checkouts>(StringComparer.Ordinal);
        foreach (var (repository, inside) in ByRepository(workloads, problems))
        {
            var found = named.Select(arm => repository.Find(arm, FolderOf(config), problems)).OfType<Checkout>().ToList();
            var below = Path.GetRelativePath(repository.Top, config.Root);
            var isOutside = below == "." || below.StartsWith("..", StringComparison.Ordinal);
            foreach (var problem in request.BenchmarksOfHead ? HeadBenchmarks.Problems(found, repository.Top, inside) : [])
            {
                problems.Add(problem);
            }

            var checkouts = new Checkouts(found, repository.Top)
            {
                SourceBelow = isOutside ? "" : below,
                WithBenchmarksOf = request.BenchmarksOfHead ? found.Find(checkout => checkout.Arm == HeadBenchmarks.Head) : null,
            };
            inside.ForEach(workload => places[workload.Name] = checkouts);
        }

        return (arm, workload) => places.TryGetValue(workload.Name, out var checkouts) ? checkouts.Place(arm, workload) : arm;
    }

    /// <summary>Checks out what the plan's recipes expect below the store and is not there yet.</summary>
    public static void CheckOut(RunPlan plan, LabConfig config)
    {
        var root = FolderOf(config) + "/";
        var places = plan.Cells.SelectMany(cell => cell.Arms).Select(arm => arm.Recipe.Source ?? arm.Recipe.Folder)
            .Where(folder => folder.StartsWith(root, StringComparison.Ordinal)).Select(folder => folder[root.Length..].Split('/'))
            .Where(parts => parts.Length > 1 && CommitForm().IsMatch(HeadBenchmarks.CommitOf(parts[0])))
            .Select(parts => (Folder: parts[0], Name: parts[1])).Distinct();
        foreach (var (folder, name) in places)
        {
            MakeFolder(root);
            var commit = HeadBenchmarks.CommitOf(folder);
            var from = Repositories(plan, config).FirstOrDefault(one => new Git(one).Commit(commit) is not null) ?? config.Root;
            if (Fill(new Git(from), commit, (root + folder, name)) is { } problem)
            {
                throw new LabException($"checking out {commit}", problem, "fetch it: `git fetch origin COMMIT`");
            }

            UsedFolder.Mark(root + folder);
        }

        HeadBenchmarks.Place(plan);
    }

    /// <summary>A checkout has the name of the folder that it is of: projects find each other by it.</summary>
    /// <returns>What git said when it failed, otherwise null.</returns>
    private static string? Fill(Git from, string commit, (string Folder, string Name) place)
    {
        var whole = Path.Combine(place.Folder, place.Name);
        if (Directory.Exists(whole))
        {
            // Of its submodules the person's clone may hold more than when it was made.
            Submodules.Fill(from.Top().Folder!, whole);
            return null;
        }

        if (Path.Exists(Path.Combine(place.Folder, ".git")))
        {
            Directory.Delete(place.Folder, recursive: true); // from before November 2026, when this folder was itself the checkout
        }

        var unfinished = Invariant($"{place.Folder}.{Environment.ProcessId}");
        if (from.CheckOut(commit, unfinished) is { } problem)
        {
            return problem;
        }

        Directory.CreateDirectory(place.Folder);
        Directory.Move(unfinished, whole);
        return null;
    }

    /// <summary>
    /// MSBuild and NuGet take these from any folder above a project, and the store lies in the lab's own: a checkout, which may be of
    /// another repository, is built by what it holds itself.
    /// </summary>
    private static void MakeFolder(string root)
    {
        Directory.CreateDirectory(root);
        foreach (var name in new[] { "Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props" })
        {
            File.WriteAllText(root + name, "<Project />\n");
        }
    }

    public static string FolderOf(LabConfig config) => Path.Combine(config.Store, "checkouts");

    /// <summary>
    /// Then `source` is a dimension of the workload, and its values are paths: no commit is asked for, and some workload takes paths.
    /// </summary>
    private static bool ArePathsOfFrameworks(IEnumerable<ArmRequest> named, IEnumerable<Workload> workloads) =>
        named.All(arm => SourceRepository.IsTree(arm.Values[WorkloadDimensions.Source]))
        && workloads.Any(workload => workload.Frameworks.Any(framework => framework.SourceProperty is not null));

    private static List<(SourceRepository Repository, List<Workload> Inside)> ByRepository(
        IReadOnlyList<Workload> workloads, ICollection<Problem> problems)
    {
        var repositories = new List<(SourceRepository Repository, List<Workload> Inside)>();
        foreach (var workload in workloads)
        {
            var (repository, says) = SourceRepository.Of(workload.Folder);
            if (repository is null)
            {
                problems.Add(new($"{workload.Name}, source", $"{workload.Folder} lies in no git repository: {says}",
                    "Without one there is nothing to take another state from: leave source out."));
            }
            else if (repositories.Find(known => known.Repository.Top == repository.Top) is { Inside: { } inside })
            {
                inside.Add(workload);
            }
            else
            {
                repositories.Add((repository, [workload]));
            }
        }

        return repositories;
    }

    /// <summary>Where a commit of the plan may be: the lab's own repository, and those of folders that were named.</summary>
    private static IEnumerable<string> Repositories(RunPlan plan, LabConfig config) =>
    [
        config.Root,
        .. (plan.Request?.Targets ?? []).Where(target => target.Contains('/'))
            .Select(target => Directory.Exists(target) ? target : Path.GetDirectoryName(target)!),
    ];

    [GeneratedRegex(@"^[0-9a-f]{40}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex CommitForm();
}
