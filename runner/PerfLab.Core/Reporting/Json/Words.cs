using PerfLab.Core.Files.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Reporting.Json;

/// <summary>The words of files and reports for verdicts and stages, and back. Closed lists: a word that is not here is refused.</summary>
public static class Words
{
    private static readonly (Verdict Value, string Word)[] Verdicts =
    [
        (Verdict.Regressed, "regressed"),
        (Verdict.Improved, "improved"),
        (Verdict.Unchanged, "unchanged"),
        (Verdict.Undecided, "undecided"),
        (Verdict.IdenticalBuild, "identical-build"),
        (Verdict.TooNoisy, "too-noisy"),
        (Verdict.Failed, "failed"),
        (Verdict.Unavailable, "unavailable"),
    ];

    /// <summary>"regressed, improved, …": what an error offers instead of a wrong word.</summary>
    internal static string AllVerdicts { get; } = string.Join(", ", Verdicts.Select(pair => pair.Word));

    internal static string AllStages { get; } = string.Join(", ", JournalWords.Stages.Keys);

    public static string Of(Verdict verdict) => Verdicts.Single(pair => pair.Value == verdict).Word;

    public static string Of(Stage stage) => JournalWords.Of(JournalWords.Stages, stage);

    internal static Verdict? ToVerdict(string word)
    {
        var found = Array.FindIndex(Verdicts, pair => pair.Word == word);
        return found < 0 ? null : Verdicts[found].Value;
    }

    internal static Stage? ToStage(string word) => JournalWords.Stages.TryGetValue(word, out var stage) ? stage : null;
}
