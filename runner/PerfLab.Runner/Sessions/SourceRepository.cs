using System.Text.RegularExpressions;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Runner.Sessions;

/// <summary>The repository that a workload lies in: looks up what `source=` says of it.</summary>
/// <param name="Top">Its top folder, as the workload's path has it.</param>
internal sealed partial record SourceRepository(string Top)
{
    private const string Here = ".";

    private readonly Git _git = new(Top);

    /// <summary>Of its folder, which projects may name; the root of a disk has none.</summary>
    private string Name => Path.GetFileName(Top) is { Length: > 0 } name ? name : "source";

    /// <summary>Whether the word is `.` or a path, as the command line hands paths on: absolute.</summary>
    public static bool IsTree(string word) => word == Here || Path.IsPathRooted(word);

    public static (SourceRepository? Repository, string Says) Of(string folder)
    {
        var (git, whole) = (new Git(folder), folder + "/");
        var (top, says) = git.Top();
        // git resolves links; what is compared with the top must begin as the person's paths do.
        return top is null ? (null, says)
            : git.Prefix() is var prefix && whole.EndsWith("/" + prefix, StringComparison.Ordinal)
                ? (new(whole[..^(prefix.Length + 1)]), "") : (new(top), "");
    }

    /// <summary>Where the arm's files are, or null with a problem added.</summary>
    /// <param name="arm">Has a value for `source`.</param>
    /// <param name="store">Folder of the checkouts of commits.</param>
    /// <param name="problems">Grows.</param>
    public Checkout? Find(ArmRequest arm, string store, ICollection<Problem> problems)
    {
        var word = arm.Values[WorkloadDimensions.Source];
        var (found, problem) = IsTree(word) ? Tree(arm.Id, word, store)
            : _git.Commit(word) is { } commit ? (Checkout.OfCommit(arm.Id, commit, Path.Combine(store, commit, Name)), null)
            : (null, Unknown(word));
        if (problem is not null)
        {
            problems.Add(problem with { Where = $"{arm.Id}, source" });
        }

        return found;
    }

    /// <summary>A tree in which nothing is changed is its commit, so that its row says which, and can be measured again.</summary>
    private (Checkout?, Problem?) Tree(string arm, string word, string store)
    {
        var (tree, says) = word == Here ? (this, "") : Of(word);
        if (tree is null)
        {
            return (null, new("", $"'{word}' is in no working tree: {says}",
                "Give a folder of a git repository, or what git knows: a branch, a tag, a commit."));
        }

        var (changes, status) = tree._git.Changes();
        var head = tree._git.Commit("HEAD");
        return changes is null ? (null, new("", $"git can't say what is changed in {tree.Top}: {status}"))
            : head is not null && !changes.Any && _git.Commit(head) is not null
                ? (Checkout.OfCommit(arm, head, Path.Combine(store, head, Name)), null)
            : (new Checkout(arm, word, tree.Top) { WorkingTree = Describe(head, changes) }, null);
    }

    private static string Describe(string? head, TreeChanges changes) =>
        $"{head?[..12] ?? "no commit"} with {(changes.Any ? changes.ToString() : "nothing changed")}";

    private Problem Unknown(string word)
    {
        if (Ancestor().Match(word) is { Success: true } match && match.Groups["of"].Value is var of && _git.Commit(of) is not null)
        {
            return _git.IsShallow()
                ? new("", $"'{word}': {of} has no such commit before it in this shallow clone.",
                    "Fetch them first: `git fetch --unshallow`.")
                : new("", $"'{word}': {of} has no such commit before it.", "See `git log`.");
        }

        var names = _git.Names();
        // main, where only origin/main is here, is no typing error but the commonest case of all.
        var remote = names.Where(name => name.EndsWith("/" + word, StringComparison.Ordinal)).Take(3).ToList();
        var nearest = remote.Count > 0 ? $"Did you mean {string.Join(" or ", remote)}?" : NearestNames.Suggest(word, names);
        return new("", $"'{word}' is no branch, tag or commit of {Top}.", CommitForm().IsMatch(word)
            ? "Fetch it first: `git fetch origin COMMIT`, of a pull request `git fetch origin pull/NUMBER/head`."
            : $"{nearest} An arm is dimension=value, or what git knows, or . for the working tree.");
    }

    [GeneratedRegex(@"^(?<of>[^~^]+)([~^][0-9]*)+\z", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Ancestor();

    [GeneratedRegex(@"^[0-9a-f]{7,40}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex CommitForm();
}
