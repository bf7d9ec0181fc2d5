using System.Text.RegularExpressions;
using PerfLab.Core.Model;

namespace PerfLab.Core.Trends;

/// <summary>The command that measures the commit before a change against the one after it.</summary>
public static partial class ConfirmLine
{
    /// <summary>Rounds of the experiment.</summary>
    public const int Rounds = 28;

    /// <summary>Null when a name can't be said on a command line, and when what was measured are no two commits.</summary>
    public static string? For(SeriesName series, string? before, string? after)
    {
        if (before is null || after is null || before == after || !Commit().IsMatch(before) || !Commit().IsMatch(after))
        {
            return null;
        }

        string[] words = [series.Workload, .. series.Values.SelectMany(value => new[] { value.Key, value.Value })];
        if (!words.All(ShellWord.IsPlain) || words.Any(word => word.Contains(',') || word.StartsWith('-')))
        {
            return null;
        }

        var values = string.Concat(series.Values.OrderBy(value => value.Key, StringComparer.Ordinal)
            .Select(value => $" --set {value.Key}={value.Value}"));
        return Invariant($"./perf-lab run {series.Workload} --base source={before} --head source={after}{values} --rounds 0+{Rounds}");
    }

    [GeneratedRegex("^[0-9a-f]{7,40}$", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Commit();
}
