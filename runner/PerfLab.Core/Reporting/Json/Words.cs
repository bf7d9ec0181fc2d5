using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Reporting.Json;

/// <summary>The words of files and reports for verdicts and stages.</summary>
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

    public static string Of(Verdict verdict) => Verdicts.Single(pair => pair.Value == verdict).Word;

    public static string Of(Stage stage) => JournalWords.Of(stage);
}
