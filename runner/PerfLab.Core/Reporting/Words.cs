using PerfLab.Core.Measurements;
using PerfLab.Core.Statistics;

namespace PerfLab.Core.Reporting;

/// <summary>The words of files and reports for our enumerations, and back. Closed lists: a word that is not here is refused.</summary>
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

    private static readonly (Stage Value, string Word)[] Stages = [(Stage.Screen, "screen"), (Stage.Confirm, "confirm")];

    private static readonly (Outcome Value, string Word)[] Outcomes =
    [
        (Outcome.Measured, "measured"),
        (Outcome.Failed, "failed"),
        (Outcome.TimedOut, "timed-out"),
        (Outcome.OutOfMemory, "out-of-memory"),
        (Outcome.Refused, "refused"),
        (Outcome.KilledFromOutside, "killed-from-outside"),
    ];

    public static string Of(Verdict verdict) => Find(Verdicts, verdict);

    public static string Of(Stage stage) => Find(Stages, stage);

    public static string Of(Outcome outcome) => Find(Outcomes, outcome);

    internal static Verdict? ToVerdict(string word) => Find(Verdicts, word);

    internal static Stage? ToStage(string word) => Find(Stages, word);

    /// <summary>"regressed, improved, …": what an error offers instead of a wrong word.</summary>
    internal static string AllVerdicts { get; } = string.Join(", ", Verdicts.Select(pair => pair.Word));

    internal static string AllStages { get; } = string.Join(", ", Stages.Select(pair => pair.Word));

    private static string Find<T>((T Value, string Word)[] words, T value)
        where T : struct, Enum =>
        words.Single(pair => EqualityComparer<T>.Default.Equals(pair.Value, value)).Word;

    private static T? Find<T>((T Value, string Word)[] words, string word)
        where T : struct, Enum
    {
        foreach (var pair in words)
        {
            if (string.Equals(pair.Word, word, StringComparison.Ordinal))
            {
                return pair.Value;
            }
        }

        return null;
    }
}
