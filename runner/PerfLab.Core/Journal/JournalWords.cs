using PerfLab.Core.Model;

namespace PerfLab.Core.Journal;

/// <summary>The words that stand for our enumerations in samples.ndjson.</summary>
public static class JournalWords
{
    public const string Schema = "perf-lab/samples/1";

    public static IReadOnlyDictionary<string, Outcome> Outcomes { get; } = new Dictionary<string, Outcome>(StringComparer.Ordinal)
    {
        ["measured"] = Outcome.Measured,
        ["failed"] = Outcome.Failed,
        ["timed-out"] = Outcome.TimedOut,
        ["out-of-memory"] = Outcome.OutOfMemory,
        ["refused"] = Outcome.Refused,
        ["killed-from-outside"] = Outcome.KilledFromOutside,
    };

    public static IReadOnlyDictionary<string, Stage> Stages { get; } = new Dictionary<string, Stage>(StringComparer.Ordinal)
    {
        ["screen"] = Stage.Screen,
        ["confirm"] = Stage.Confirm,
    };

    public static IReadOnlyDictionary<string, Better> Directions { get; } = new Dictionary<string, Better>(StringComparer.Ordinal)
    {
        ["higher"] = Better.Higher,
        ["lower"] = Better.Lower,
    };

    public static IReadOnlyDictionary<string, MetricKind> MetricKinds { get; } = new Dictionary<string, MetricKind>(StringComparer.Ordinal)
    {
        ["sampled"] = MetricKind.Sampled,
        ["exact"] = MetricKind.Exact,
    };

    /// <summary>The word of a value.</summary>
    public static string Of<T>(IReadOnlyDictionary<string, T> words, T value) where T : struct, Enum =>
        words.First(word => EqualityComparer<T>.Default.Equals(word.Value, value)).Key;
}
