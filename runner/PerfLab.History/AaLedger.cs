using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Trends;

namespace PerfLab.History;

/// <summary>What the lab said when nothing had changed: all A/A sessions that are kept.</summary>
public static class AaLedger
{
    private static readonly SortedDictionary<string, string> Nothing = new(StringComparer.Ordinal);

    /// <summary>How many A/A sessions flagged anything, with the exact interval of the rate; null before the first.</summary>
    /// <param name="store">The history.</param>
    /// <param name="kind">The same build twice, or builds that differ in layout only.</param>
    public static FalseFlags? FalseFlags(this HistoryStore store, SessionKind kind = SessionKind.Aa) => store.Do("reading the A/A ledger", () =>
    {
        var (runs, flagged) = store.Database.Rows(
            "SELECT count(*), coalesce(sum(flagged), 0) FROM sessions WHERE kind = @kind", row =>
                ((int)row.GetInt64(0), (int)row.GetInt64(1)), ("kind", kind.ToString())).Single();
        return runs == 0 ? null : Core.Statistics.Rows.FalseFlags.Of(flagged, runs);
    });

    /// <summary>Margins of the session's cells that come from their own A/A runs on the same make of machine, by cell.</summary>
    public static IReadOnlyDictionary<string, CellMargin> Margins(this HistoryStore store, SessionHeader header) =>
        store.Do("reading the A/A ledger", () =>
    {
        var fingerprint = MachineFingerprint.Of(header);
        var effects = store.Database.Rows(
                """
                SELECT e.name, t.change FROM sessions s
                JOIN machines m ON m.number = s.machine JOIN points t ON t.session = s.number JOIN series e ON e.number = t.series
                WHERE s.kind IN (@same, @layout) AND m.fingerprint = @machine AND t.is_primary = 1 AND t.change IS NOT NULL
                """,
                row => (Name: row.GetString(0), Change: row.GetDouble(1)), ("same", nameof(SessionKind.Aa)),
                ("layout", nameof(SessionKind.Layout)), ("machine", fingerprint.Text))
            .GroupBy(row => row.Name, StringComparer.Ordinal)
            .ToDictionary(series => WithoutReference(SeriesName.Read(series.Key)), series =>
                CellMargin.Of([.. series.Select(row => row.Change)]), StringComparer.Ordinal);
        var machine = fingerprint.In(header.Executor);
        var margins = new Dictionary<string, CellMargin>(StringComparer.Ordinal);
        foreach (var cell in header.Cells)
        {
            // The wider of what the arms showed: a comparison is no quieter than either of them.
            var own = cell.Arms.Select(arm =>
                effects.GetValueOrDefault(WithoutReference(SeriesName.Of(cell, arm, cell.PrimaryMetric, machine)))).OfType<CellMargin>();
            if (own.MaxBy(margin => margin.Fraction) is { } widest)
            {
                margins.Add(cell.Id, widest);
            }
        }

        return (IReadOnlyDictionary<string, CellMargin>)margins;
    });

    /// <summary>What an arm's A/A runs and its comparisons have in common.</summary>
    private static string WithoutReference(SeriesName name) => (name with { Against = Nothing, IsNextAnchor = false }).Key;
}
