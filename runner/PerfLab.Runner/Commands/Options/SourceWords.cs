using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Planning.Requests;
using PerfLab.Programs;

namespace PerfLab.Runner.Commands.Options;

/// <summary>Tells the paths from the commits that arms name with `source=`. Paths become absolute; what git knows stays a word.</summary>
internal static class SourceWords
{
    /// <summary>The working tree.</summary>
    public const string Here = ".";
    private const string Source = "source";

    public static IReadOnlyList<ArmRequest> Read(IReadOnlyList<ArmRequest> arms, Terminal terminal, ICollection<Problem> problems)
    {
        // Beside a commit, . is the working tree of the workload's repository, wherever the person stands.
        var besideCommit = arms.Any(arm => arm.Values.TryGetValue(Source, out var word) && !IsPath(word, terminal));
        return [.. arms.Select(arm => arm.Values.TryGetValue(Source, out var word) && IsPath(word, terminal)
            && !(besideCommit && word == Here) ? With(arm, Existing(arm.Id, word, terminal, problems)) : arm)];
    }

    private static ArmRequest With(ArmRequest arm, string source)
    {
        var values = new SortedDictionary<string, string>(arm.Values.ToDictionary(StringComparer.Ordinal), StringComparer.Ordinal);
        values[Source] = source;
        return arm with { Values = values };
    }

    private static bool IsPath(string word, Terminal terminal) =>
        word is Here or ".." || word.StartsWith("./", StringComparison.Ordinal) || word.StartsWith("../", StringComparison.Ordinal)
            || Path.IsPathRooted(word) || Exists(FullPath(word, terminal));

    private static string Existing(string arm, string word, Terminal terminal, ICollection<Problem> problems)
    {
        var path = FullPath(word, terminal);
        if (!Exists(path))
        {
            problems.Add(new($"{arm}, source", $"'{word}' does not exist.",
                "Give the path of a checkout, or what git knows: a branch, a tag, a commit."));
        }
        else if (!word.StartsWith('.') && !Path.IsPathRooted(word) && new Git(terminal.WorkingFolder).Commit(word) is not null)
        {
            problems.Add(new($"{arm}, source", $"'{word}' is a folder here, and git knows it too.",
                $"Write ./{word} for the folder, or refs/heads/{word} for the branch."));
        }

        return path;
    }

    private static bool Exists(string path) => File.Exists(path) || Directory.Exists(path);

    private static string FullPath(string path, Terminal terminal) =>
        Path.GetFullPath(Path.Combine(terminal.WorkingFolder, path)) is { Length: > 1 } full ? full.TrimEnd('/') : "/";
}
