using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Trends;

/// <summary>What another tool measured of one thing, by commit: values as they are. Names are hostile text until rendered.</summary>
public sealed record ForeignSeries
{
    public static FileFormat<ForeignSeries> File { get; } =
        new("perf-lab/foreign-series/1", "foreign-….json: what another tool measured, commit after commit");

    /// <summary>More points are no history of commits.</summary>
    public const int MostPoints = 100_000;

    /// <summary>Who wrote it: "csv", "otava" or "github-action-benchmark".</summary>
    [RegularExpression("^(csv|otava|github-action-benchmark)$", ErrorMessage = "csv, otava or github-action-benchmark")]
    public required string Tool { get; init; }

    /// <summary>The same for the same series: an import with this name takes its place.</summary>
    public required string Name { get; init; }

    /// <summary>As the tool says it; null when it does not.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Unit { get; init; }

    /// <summary>The oldest first.</summary>
    public required IReadOnlyList<ForeignPoint> Points { get; init; }

    /// <summary>The points by their times; those of one time, and all when one has no time, stay in the file's order.</summary>
    public static IReadOnlyList<ForeignPoint> InOrder(IReadOnlyList<ForeignPoint> points) =>
        points.All(point => point.Time is not null) ? [.. points.OrderBy(point => point.Time)] : points;
}

/// <summary>One value.</summary>
/// <param name="Time">UTC; null when the file has none.</param>
/// <param name="Commit">Or version, as the file names it; null when it does not.</param>
/// <param name="Value">Null is a gap.</param>
public sealed record ForeignPoint(DateTimeOffset? Time, string? Commit, double? Value);

/// <summary>What a file holds: its series, or why none of it is kept.</summary>
public sealed record ForeignReading(IReadOnlyList<ForeignSeries> Series, string? Problem = null)
{
    internal static ForeignReading Refused(string why) => new([], why);

    /// <summary>Series without points are none; one that is too long refuses the file.</summary>
    internal static ForeignReading Of(IReadOnlyList<ForeignSeries> series) =>
        series.FirstOrDefault(one => one.Points.Count > ForeignSeries.MostPoints) is { } tooLong
            ? Refused(Invariant($"'{tooLong.Name}' has {tooLong.Points.Count} points, over the limit of {ForeignSeries.MostPoints}"))
            : series.Count == 0 ? Refused("holds no series") : new(series);
}
