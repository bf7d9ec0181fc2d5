using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Files;

namespace PerfLab.Core.Trends;

/// <summary>
/// Otava's JSON (a list of runs with their metrics), or the data.js of github-action-benchmark (an object with the entries of each suite).
/// </summary>
public static class JsonSeries
{
    /// <summary>What data.js begins with: it is a script for a page.</summary>
    private const string Assignment = "window.BENCHMARK_DATA =";

    /// <summary>Seconds of Unix from the first to the last year that a date can have.</summary>
    private const double FirstSecond = -62135596800, LastSecond = 253402300799;

    private static readonly FileFormat<IReadOnlyList<Run>> Otava = new("", "Otava's runs") { IsForeign = true };
    private static readonly FileFormat<Data> Action = new("", "data.js of github-action-benchmark") { IsForeign = true };

    /// <param name="name">Of the file, without its extension.</param>
    /// <param name="text">The file.</param>
    public static ForeignReading Read(string name, string text)
    {
        var begin = text.TrimStart();
        var json = begin.StartsWith(Assignment, StringComparison.Ordinal) ? begin[Assignment.Length..].TrimEnd().TrimEnd(';') : begin;
        return json.StartsWith('[') ? Of(Otava.Read(json), runs => OfOtava(name, runs))
            : Of(Action.Read(json), data => data.Entries is { } entries ? OfAction(entries) : ForeignReading.Refused("is neither a list of runs (Otava) nor an object with `entries` (github-action-benchmark)"));
    }

    private static ForeignReading Of<T>(FileReading<T> reading, Func<T, ForeignReading> series)
        where T : class => reading.Value is { } value ? series(value)
        : ForeignReading.Refused($"has not the form of Otava's or github-action-benchmark's files: {reading.Problems[0]}");

    /// <summary>Runs of another branch are another series.</summary>
    private static ForeignReading OfOtava(string name, IReadOnlyList<Run> runs) => Of("otava",
        from run in runs
        let branch = JsonText.Of(run.Attributes?["branch"])
        from metric in run.Metrics
        select (Name: $"{name}{(branch is null ? "" : $" ({branch})")}, {metric.Name}", Unit: (string?)null, Point: new ForeignPoint(
            DateTimeOffset.FromUnixTimeSeconds(run.Timestamp), JsonText.Of(run.Attributes?["commit"]), metric.Value)));

    private static ForeignReading OfAction(IReadOnlyDictionary<string, IReadOnlyList<Entry>> suites) => Of("github-action-benchmark",
        from suite in suites
        from entry in suite.Value
        from bench in entry.Benches
        select (Name: $"{suite.Key}, {bench.Name}", bench.Unit,
            Point: new ForeignPoint(DateTimeOffset.FromUnixTimeMilliseconds(entry.Date), entry.Commit.Id, bench.Value)));

    /// <summary>A value in another unit is not on the same scale.</summary>
    private static ForeignReading Of(string tool, IEnumerable<(string Name, string? Unit, ForeignPoint Point)> values) =>
        ForeignReading.Of([.. values.GroupBy(value => (value.Name, value.Unit)).Select(series => new ForeignSeries
        {
            Tool = tool,
            Name = series.Key.Name,
            Unit = series.Key.Unit,
            Points = ForeignSeries.InOrder([.. series.Select(value => value.Point)]),
        })]);

    /// <param name="Attributes">Of its commit; people put into them what they like.</param>
    private sealed record Run(
        [property: Range(FirstSecond, LastSecond)] long Timestamp, IReadOnlyList<Metric> Metrics, JsonObject? Attributes = null);

    /// <param name="Value">JavaScript writes NaN as null.</param>
    private sealed record Metric(string Name, double? Value);

    private sealed record Data(IReadOnlyDictionary<string, IReadOnlyList<Entry>>? Entries = null);

    private sealed record Entry(
        Commit Commit, [property: Range(1000 * FirstSecond, 1000 * LastSecond)] long Date, IReadOnlyList<Bench> Benches);

    private sealed record Commit(string Id);

    private sealed record Bench(string Name, double? Value, string? Unit = null);
}
