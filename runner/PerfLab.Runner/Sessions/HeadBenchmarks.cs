using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// `--benchmarks head`: a pull request that claims a gain mostly brings its own benchmark, which base does not have. Base gets a second
/// checkout, in which the project's folder is head's and everything else is its own.
/// </summary>
internal static class HeadBenchmarks
{
    public const string Option = "--benchmarks", Head = "head";

    private const string With = "-with-", Tree = "tree";

    /// <summary>The second checkout of a commit: "checkouts/COMMIT-with-0a1b2c3d4e5f/NAME".</summary>
    public static Checkout Beside(Checkout checkout, Checkout head)
    {
        var key = head.WorkingTree is null ? Path.GetFileName(Path.GetDirectoryName(head.Folder)!)[..12] : Tree;
        return checkout with
        {
            Folder = Path.Combine(Path.GetDirectoryName(checkout.Folder)! + With + key, Path.GetFileName(checkout.Folder)),
        };
    }

    /// <summary>The commit of a folder below the checkouts: "COMMIT", or "COMMIT-with-…".</summary>
    public static string CommitOf(string folder) => folder.Split(With)[0];

    /// <summary>What makes no sense of what was asked for.</summary>
    /// <param name="checkouts">One for each arm with a source.</param>
    /// <param name="repository">Top folder of the repository.</param>
    /// <param name="workloads">Those in it.</param>
    public static IEnumerable<Problem> Problems(IReadOnlyList<Checkout> checkouts, string repository, IReadOnlyList<Workload> workloads)
    {
        if (!checkouts.Any(checkout => checkout.Arm == Head) || checkouts.Count < 2)
        {
            yield return new(Option, "head takes head's benchmarks to the library of the other arms, so each names a source.",
                "Example: --base main --head . --benchmarks head");
        }

        foreach (var tree in checkouts.Where(checkout => checkout.Arm != Head && checkout.WorkingTree is not null))
        {
            yield return new(Option, $"{tree.Arm} is a working tree, in which nothing is changed.",
                "Commit what is there, and name the commit.");
        }

        foreach (var workload in workloads.Where(workload => !workload.IsBenchmarkDotNet() || workload.Folder == repository))
        {
            yield return new(Option, workload.IsBenchmarkDotNet()
                ? $"{workload.Name} lies at the top of its repository: with its folder base would get head's library, too."
                : $"{workload.Name} is no project with benchmarks of BenchmarkDotNet.");
        }
    }

    /// <summary>Puts the folders of head in their places: anew each time, since head may be a working tree.</summary>
    public static void Place(RunPlan plan)
    {
        var places = plan.Cells.SelectMany(cell => cell.Arms).Where(arm => arm.Recipe.Benchmarks is not null)
            .Select(arm => (From: arm.Recipe.Benchmarks!, To: arm.Recipe.Folder)).Distinct();
        foreach (var (from, to) in places)
        {
            if (Directory.Exists(to))
            {
                Directory.Delete(to, recursive: true);
            }

            Copy(new(from), to);
        }
    }

    private static void Copy(DirectoryInfo from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (var file in from.EnumerateFiles())
        {
            file.CopyTo(Path.Combine(to, file.Name));
        }

        foreach (var folder in from.EnumerateDirectories().Where(SourceFolders.IsOne))
        {
            Copy(folder, Path.Combine(to, folder.Name));
        }
    }
}
