using System.Text.RegularExpressions;
using PerfLab.Core.Model;

namespace PerfLab.Core.Reporting;

/// <summary>What a line that measures a row again repeats of its plan.</summary>
/// <param name="SameIl">Whether every arm was compiled for the lowest target framework.</param>
public sealed record PlanFacts(ulong? Seed, bool SameIl = false)
{
    /// <summary>Folders of packages that the cell's arms were built with; empty also when nobody said: a journal does not know them.</summary>
    public IReadOnlyList<string> Feeds { get; init; } = [];

    /// <summary>The workload's folder as the command line takes it, with a slash. Null when its name finds it, and when nobody said: a journal does not know it.</summary>
    public string? Folder { get; init; }
}

/// <summary>The command that measures one row again.</summary>
public static partial class ReproduceLine
{
    /// <summary>
    /// "./perf-lab run json-round-trip --base framework=… --head framework=… --set runtime=… --rounds 8+20 --seed 7 --feed …" ("run ./mine" where only
    /// the folder finds the workload), or null when a value can't be said on the command line (a comma separates there, and nothing hostile shall
    /// be offered for pasting).
    /// </summary>
    /// <param name="arm">The row's arm; ignored in a session of one arm.</param>
    public static string? For(Cell cell, string arm, Policy policy, PlanFacts plan)
    {
        if (cell.Arms.Count == 0)
        {
            return null;
        }

        var words = new List<string>();
        if (cell.Arms.Count > 1)
        {
            var head = cell.Arms.FirstOrDefault(candidate => string.Equals(candidate.Id, arm, StringComparison.Ordinal));
            if (head is null || head.Dimensions.Count == 0 || cell.Reference.Dimensions.Count == 0)
            {
                return null;
            }

            words.AddRange(["--base", List(cell.Reference.Dimensions), "--head", List(head.Dimensions)]);
        }

        var shared = InOrder(cell.Dimensions).Concat(InOrder(cell.Parameters));
        foreach (var (name, value) in cell.Arms.Count == 1 ? shared.Concat(InOrder(cell.Reference.Dimensions)) : shared)
        {
            words.AddRange(["--set", $"{name}={value}"]);
        }

        if (plan.SameIl)
        {
            words.Add("--same-il");
        }

        words.AddRange(["--rounds", string.Create(CultureInfo.InvariantCulture, $"{policy.ScreenRounds}+{policy.ConfirmRounds}")]);
        if (plan.Seed is { } number)
        {
            words.AddRange(["--seed", number.ToString(CultureInfo.InvariantCulture)]);
        }

        var values = cell.Dimensions.Concat(cell.Parameters).Concat(cell.Arms.SelectMany(one => one.Dimensions));
        var target = plan.Folder is { } folder ? Path(folder) : cell.Workload;
        return words.Append(cell.Workload).All(word => Safe().IsMatch(word)) && !values.Any(pair => pair.Value.Contains(',', StringComparison.Ordinal))
            ? $"./perf-lab run {target} {string.Join(' ', words.Concat(plan.Feeds.Select(feed => $"--feed {Path(feed)}")))}"
            : null;
    }

    /// <summary>A folder as a shell takes it. One that needs more than quotes is left to the reader: the command says that there is no folder DIR.</summary>
    private static string Path(string folder) =>
        Safe().IsMatch(folder) ? folder
        : Safe().IsMatch(folder.Replace(' ', '_')) && !folder.Contains("  ", StringComparison.Ordinal) ? $"'{folder}'"
        : "DIR";

    private static string List(IReadOnlyDictionary<string, string> dimensions) =>
        string.Join(',', InOrder(dimensions).Select(pair => $"{pair.Key}={pair.Value}"));

    private static IEnumerable<KeyValuePair<string, string>> InOrder(IReadOnlyDictionary<string, string> pairs) =>
        pairs.OrderBy(pair => pair.Key, StringComparer.Ordinal);

    // Nothing that a shell would read as more than a word.
    [GeneratedRegex(@"^[A-Za-z0-9_@%+=:,./-]+\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Safe();
}
