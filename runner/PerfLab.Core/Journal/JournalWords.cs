using PerfLab.Core.Model;

namespace PerfLab.Core.Journal;

/// <summary>The words that stand for our enumerations in samples.ndjson.</summary>
public static class JournalWords
{
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

    /// <summary>As files write it.</summary>
    public static string Of(Enum value) => JsonNamingPolicy.KebabCaseLower.ConvertName(value.ToString());
}
