using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Trends;

namespace PerfLab.History;

/// <summary>The series of a history, and what is known of their changes.</summary>
public static class TrendReader
{
    private const string StateName = "trend";

    private const string Columns = "SELECT e.name, s.id, t.started, t.commit_name, t.reference_name, t.change, t.reference_value";

    /// <summary>Every series that was measured against an anchor, each from the oldest session to the newest.</summary>
    public static IReadOnlyList<TrendSeries> TrendSeries(this HistoryStore store) => store.Do("reading the trend", () =>
    {
        var rows = store.Database.Rows(
            Columns + """
             FROM points t JOIN sessions s ON s.number = t.session JOIN series e ON e.number = t.series
            WHERE s.kind = @kind AND t.is_primary = 1 AND t.change IS NOT NULL ORDER BY t.series, t.started, s.id, t.place
            """,
            row => new Row(row.GetString(0), row.GetString(1), row.GetInt64(2), Text(row, 3), Text(row, 4), row.GetDouble(5),
                row.IsDBNull(6) ? null : row.GetDouble(6)),
            ("kind", nameof(SessionKind.Trend)));
        // A folder may have been named twice: then the start tells its sessions apart.
        var twice = rows.Select(row => (row.Session, row.Started)).Distinct().CountBy(session => session.Session, StringComparer.Ordinal)
            .Where(session => session.Value > 1).Select(session => session.Key).ToHashSet(StringComparer.Ordinal);
        rows = [.. rows.Select(row => twice.Contains(row.Session) ? row with { Session = $"{row.Session} ({Day(row.Started)})" } : row)];
        var named = rows.GroupBy(row => row.Series, StringComparer.Ordinal)
            .Select(series => (Name: SeriesName.Read(series.Key), Rows: series.ToList())).ToList();
        var overlaps = named.Where(series => series.Name.IsNextAnchor)
            .ToDictionary(series => (series.Name with { IsNextAnchor = false }).Key, series =>
                series.Rows.ConvertAll(row => new AnchorOverlap(row.Reference ?? "", row.Commit ?? "", row.Change)),
                StringComparer.Ordinal);
        return (IReadOnlyList<TrendSeries>)[.. named.Where(series => !series.Name.IsNextAnchor).Select(series =>
            new TrendSeries(series.Name,
                [.. series.Rows.DistinctBy(row => row.Session, StringComparer.Ordinal).Select(row => Point(series.Name, row))])
            {
                Overlaps = overlaps.GetValueOrDefault(series.Name.Key) ?? [],
            })];
    });

    /// <summary>
    /// Sessions that measured two commits against each other, or proved that nothing differs: the experiments that confirm a change. The
    /// newest counts.
    /// </summary>
    public static FindExperiment Experiments(this HistoryStore store) => (series, before, after) => store.Do("reading the trend", () =>
        store.Database.Rows(
            """
            SELECT s.id, t.change, t.low, t.high, t.p, t.rounds, t.verdict
            FROM points t JOIN sessions s ON s.number = t.session JOIN series e ON e.number = t.series
            WHERE e.hash = @series AND s.kind = @kind AND t.reference_name = @before AND t.commit_name = @after
              AND t.verdict IS NOT NULL AND (t.change IS NOT NULL OR t.verdict IN ('identical-build', 'untouched'))
            ORDER BY t.started DESC, s.id DESC LIMIT 1
            """,
            row => new Experiment(
                row.GetString(0), Optional(row, 1) is { } change ? Fraction(change) : 0, Optional(row, 2) is { } low ? Fraction(low) : null,
                    Optional(row, 3) is { } high ? Fraction(high) : null,
                Optional(row, 4), row.GetInt32(5), Verdicts[row.GetString(6)]),
            ("series", series), ("kind", nameof(SessionKind.Comparison)), ("before", PointRow.Text(before)),
                ("after", PointRow.Text(after))).SingleOrDefault());

    /// <summary>What the last look knew; null before the first.</summary>
    /// <exception cref="LabException">It is damaged, or of a newer version.</exception>
    public static TrendState? State(this HistoryStore store)
    {
        if (store.Document(StateName) is not { } text)
        {
            return null;
        }

        var reading = TrendState.File.Read(text.Content);
        return reading.Value ?? throw new LabException(
            $"reading what is known of the trend ({store.Name})", string.Join("; ", reading.Problems.Take(3)),
            "use the perf-lab that wrote it, or begin anew with `./perf-lab trend --forget`: changes are found again");
    }

    /// <summary>Keeps what a look knows for the next one.</summary>
    public static void Keep(this HistoryStore store, TrendState state) =>
        store.Put(new(StateName, state.Newest?.Started.ToUnixTimeMilliseconds() ?? 0, TrendState.File.Write(state)));

    /// <summary>The next look begins anew.</summary>
    public static void Forget(this HistoryStore store) => store.Remove(StateName);

    private static readonly Dictionary<string, Verdict> Verdicts = Enum.GetValues<Verdict>()
        .ToDictionary(verdict => Core.Files.Words.Of(verdict), StringComparer.Ordinal);

    private static TrendPoint Point(SeriesName series, Row row) => new(
        row.Session, DateTimeOffset.FromUnixTimeMilliseconds(row.Started), row.Commit, row.Reference ?? "", row.Change,
        row.AnchorValue is > 0 and var value ? (series.Better == Better.Higher ? -1 : 1) * Math.Log(value) : null);

    private static string Day(long started) =>
        DateTimeOffset.FromUnixTimeMilliseconds(started).ToString("yyyyMMdd'-'HHmmss", CultureInfo.InvariantCulture);

    internal static double Fraction(double log) => Math.Exp(log) - 1;

    private static string? Text(System.Data.Common.DbDataReader row, int column) => row.IsDBNull(column) ? null : row.GetString(column);

    private static double? Optional(System.Data.Common.DbDataReader row, int column) => row.IsDBNull(column) ? null : row.GetDouble(column);

    private sealed record Row(string Series, string Session, long Started, string? Commit, string? Reference, double Change,
        double? AnchorValue);
}
