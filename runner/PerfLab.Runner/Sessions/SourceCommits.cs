using System.Text.RegularExpressions;
using PerfLab.Building.Manifests;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Cells;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// `source=COMMIT` on the command line: the same arms as those of a pull request (docs/decisions/0005-a-pull-request-as-arms.md), so that
/// the line under a pull request's row can be pasted into a clone.
/// </summary>
internal sealed partial class SourceCommits
{
    private readonly LabConfig _config;
    private readonly IReadOnlyList<Checkout> _checkouts;

    private SourceCommits(BenchmarkRequest request, LabConfig config, IReadOnlyList<Checkout> checkouts) => (Request, _config, _checkouts) = (request, config, checkouts);

    /// <summary>The request without the commits, which planning does not know.</summary>
    public BenchmarkRequest Request { get; }

    /// <summary>Whether a value of `source` is written like a commit: 7 to 40 hexadecimal digits.</summary>
    public static bool IsCommit(string source) => CommitForm().IsMatch(source);

    public static SourceCommits Of(BenchmarkRequest request, LabConfig config, ICollection<Problem> problems)
    {
        var named = request.Arms.Where(arm => arm.Values.TryGetValue(WorkloadDimensions.Source, out var source) && IsCommit(source)).ToList();
        if (named.Count == 0)
        {
            return new(request, config, []);
        }

        if (named.Count < request.Arms.Count)
        {
            problems.Add(new(WorkloadDimensions.Source, "is a commit in one arm and not in the other.", "Name a commit in every arm."));
        }

        var git = new Git(config.Root);
        var prefix = git.Prefix();
        var checkouts = new List<Checkout>();
        foreach (var arm in named)
        {
            var name = arm.Values[WorkloadDimensions.Source];
            if (git.Commit(name) is { } commit)
            {
                checkouts.Add(new(arm.Id, commit, Path.Combine(FolderOf(config), commit, prefix).TrimEnd('/')));
            }
            else
            {
                problems.Add(new($"{arm.Id}, source", $"'{name}' is neither a path nor a commit of {config.Root}.", "Fetch it first: `git fetch origin COMMIT`, of a pull request `git fetch origin pull/NUMBER/head`."));
            }
        }

        return new(request with { Arms = [.. request.Arms.Select(Without)] }, config, checkouts);
    }

    /// <summary>The plan with the commits in its arms.</summary>
    public RunPlan Place(RunPlan plan, IReadOnlyList<Workload> workloads) => _checkouts.Count == 0 ? plan : new Checkouts(_checkouts, _config.Root, workloads).Place(plan);

    /// <summary>Checks out what the plan's recipes expect below the store and is not there yet.</summary>
    public static void CheckOut(RunPlan plan, LabConfig config)
    {
        var root = FolderOf(config) + "/";
        var commits = plan.Cells.SelectMany(cell => cell.Arms).Select(arm => arm.Recipe.Source ?? arm.Recipe.Folder)
            .Where(folder => folder.StartsWith(root, StringComparison.Ordinal)).Select(folder => folder[root.Length..].Split('/')[0]).Distinct(StringComparer.Ordinal);
        foreach (var commit in commits.Where(commit => CommitForm().IsMatch(commit) && !Directory.Exists(root + commit)))
        {
            Directory.CreateDirectory(root);
            var unfinished = $"{root}{commit}.{Environment.ProcessId}";
            if (new Git(config.Root).CheckOut(commit, unfinished) is { } problem)
            {
                throw new LabException($"checking out {commit}", problem, "fetch it: `git fetch origin COMMIT`");
            }

            Directory.Move(unfinished, root + commit);
        }
    }

    public static string FolderOf(LabConfig config) => Path.Combine(config.Store, "checkouts");

    private static ArmRequest Without(ArmRequest arm) =>
        arm with { Values = arm.Values.Where(pair => pair.Key != WorkloadDimensions.Source).ToDictionary(StringComparer.Ordinal) };

    [GeneratedRegex(@"^[0-9a-f]{7,40}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex CommitForm();
}
