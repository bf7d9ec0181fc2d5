using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Runner.Commits;

/// <summary>The commits from good to bad, or what is wrong with the two.</summary>
internal static class CommitLine
{
    /// <summary>A branch of years has fewer; each is looked at after every probe.</summary>
    private const int MostCommits = 10_000;

    /// <param name="git">The repository that the workload lies in.</param>
    /// <param name="good">A branch, tag or commit, as typed.</param>
    /// <param name="bad">The same.</param>
    /// <param name="problems">Grows.</param>
    /// <returns>Good first, bad last; empty with a problem added.</returns>
    public static IReadOnlyList<BisectCommit> Between(Git git, string good, string bad, ICollection<Problem> problems)
    {
        var (from, to) = (Find(git, "--good", good, problems), Find(git, "--bad", bad, problems));
        if (from is null || to is null)
        {
            return [];
        }

        if (Wrong(git, from, to) is { } problem)
        {
            problems.Add(problem);
            return [];
        }

        var (commits, says) = git.Line(from, to);
        if (commits is null || commits.Count is 0 or > MostCommits)
        {
            problems.Add(new("--bad", commits is null ? $"git can't list the commits after good: {says}"
                : Invariant($"{commits.Count} commits lie between the two, at most {MostCommits} are searched."),
                    "Name a good commit that is nearer."));
            return [];
        }

        if (git.Commit($"{commits[0].Id}^1") != from)
        {
            // Reachable through a merge only: what lies between on the first parents' line does not hold what good holds.
            problems.Add(new("--good", $"{from[..12]} came into {to[..12]} by a merge, so it is not on the line that is searched.",
                "Name the merge" + (git.Fork(from, commits[0].Id) is { } fork ? $", or --good {fork[..12]}, where the two parted." : ".")));
            return [];
        }

        return [new(from, ""), .. commits.Select(commit => new BisectCommit(commit.Id, UntrustedText.Line(commit.Subject)))];
    }

    private static Problem? Wrong(Git git, string good, string bad) =>
        good == bad ? new("--bad", $"is the same commit as --good ({good[..12]}): there is nothing between them.", "Name two commits.")
        : git.IsBefore(good, bad) ? null
        : git.IsBefore(bad, good) ? new("--good", $"{good[..12]} comes after --bad {bad[..12]}.",
            "Exchange the two: good is the older one, whichever of them is faster.")
        : git.Fork(good, bad) is { } fork ? new("--good", $"{good[..12]} is not before {bad[..12]}: they parted at {fork[..12]}.",
            $"--good {fork[..12]} is where they parted; it is measured first.")
        : new("--good", $"{good[..12]} and {bad[..12]} have no common history{(git.IsShallow() ? " in this shallow clone" : "")}.",
            git.IsShallow() ? "Fetch it first: `git fetch --unshallow`." : "Name two commits of one branch.");

    private static string? Find(Git git, string option, string word, ICollection<Problem> problems)
    {
        var commit = git.Commit(word);
        if (commit is null)
        {
            problems.Add(new(option, $"'{word}' is no branch, tag or commit here.", NearestNames.Suggest(word, git.Names())));
        }

        return commit;
    }
}
