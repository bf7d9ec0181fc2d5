using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Trends;

namespace PerfLab.History;

/// <summary>Where main stands since the anchor, beside every row that a budget can be held against.</summary>
public static class BudgetLedger
{
    /// <summary>The comparison with the standing of each row whose series the history has; the others say nothing.</summary>
    /// <param name="store">The history.</param>
    /// <param name="header">Of the session that was compared.</param>
    /// <param name="comparison">Judged, with what people accepted.</param>
    /// <param name="budget">A fraction.</param>
    public static Comparison WithBudget(this HistoryStore store, SessionHeader header, Comparison comparison, double budget)
    {
        var machine = MachineFingerprint.Of(header).In(header.Executor);
        var cells = header.Cells.ToLookup(cell => cell.Id, StringComparer.Ordinal);
        List<ComparedMetric> rows = [.. comparison.Cells.Select(row => row with { Budget = Standing(row) })];
        return comparison with
        {
            Cells = rows,
            Summary = comparison.Summary with { OverBudget = rows.Count(row => row.Budget is { Overspent: true }) },
        };

        BudgetStanding? Standing(ComparedMetric row) =>
            row.Primary && cells[row.Cell].FirstOrDefault() is { } cell && cell.Arms.FirstOrDefault(arm => arm.Id == row.Arm) is { } arm
                && Series(cell, arm, machine) is { } series
                ? BudgetRule.Of(row, Main(store, series, header.Started), budget, comparison.Policy.FamilyError) : null;
    }

    /// <summary>The series of the trend that both arms are points of: null where they differ in more than their commit, or where the
    /// reference is the anchor itself.</summary>
    private static string? Series(Cell cell, Arm arm, SessionMachine machine)
    {
        if (cell.Reference.Id == SeriesName.AnchorArm)
        {
            return null;
        }

        var nothing = new SortedDictionary<string, string>(StringComparer.Ordinal);
        var (from, to) = (Name(cell.Reference), Name(arm));
        return from == to ? to : null;

        string Name(Arm one) => (SeriesName.Of(cell, one, cell.PrimaryMetric, machine) with { Against = nothing }).Hash;
    }

    /// <summary>From the newest to the oldest, and nothing that was measured after the session that is judged.</summary>
    private static IReadOnlyList<MainPoint> Main(HistoryStore store, string series, DateTimeOffset until) =>
        store.Do("reading the trend", () => store.Database.Rows(
            Invariant($"""
            SELECT s.id, t.started, t.commit_name, t.reference_name, t.change, t.low, t.high
            FROM points t JOIN sessions s ON s.number = t.session JOIN series e ON e.number = t.series
            WHERE e.hash = @series AND s.kind = @kind AND t.is_primary = 1 AND t.change IS NOT NULL AND t.started <= @until
            ORDER BY t.started DESC, s.id DESC, t.place DESC LIMIT {BudgetRule.MostForScatter}
            """),
            row => new MainPoint(
                new(row.GetString(0), DateTimeOffset.FromUnixTimeMilliseconds(row.GetInt64(1)), row.GetValue(2) as string),
                row.GetValue(3) as string, row.GetDouble(4), row.GetValue(5) as double?, row.GetValue(6) as double?),
            ("series", series), ("kind", nameof(SessionKind.Trend)), ("until", until.ToUnixTimeMilliseconds())));
}
