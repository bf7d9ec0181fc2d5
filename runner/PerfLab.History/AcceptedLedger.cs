using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Trends;

namespace PerfLab.History;

/// <summary>The regressions that people know of and keep.</summary>
public static class AcceptedLedger
{
    internal const string Name = "accepted";

    /// <exception cref="LabException">It is damaged, or of a newer version.</exception>
    public static AcceptedChanges Accepted(this HistoryStore store)
    {
        if (store.Document(Name) is not { } text)
        {
            return AcceptedChanges.None;
        }

        var reading = AcceptedChanges.File.Read(text.Content);
        return reading.Value ?? throw new LabException(
            $"reading the accepted changes ({store.Name})", string.Join("; ", reading.Problems.Take(3)), "use the perf-lab that wrote it");
    }

    /// <summary>Accepts a change of the trend, or every regressed row of a session; says how many series that are.</summary>
    /// <param name="store">The history.</param>
    /// <param name="id">Of the change, or of the session.</param>
    /// <param name="because">A person's words.</param>
    /// <param name="now">UTC.</param>
    /// <exception cref="LabException">There is nothing of that id, or nothing in it became worse.</exception>
    public static int Accept(this HistoryStore store, string id, string because, DateTimeOffset now)
    {
        var found = OfTrend(store, id, because, now) ?? OfSession(store, id, because, now);
        if (found.Count == 0)
        {
            throw new LabException($"accepting {UntrustedText.Line(id)}",
                "the history knows no such change of the trend and no regressed row of such a session",
                "`./perf-lab trend` shows the ids of changes, `./perf-lab history list` those of sessions");
        }

        store.Keep(store.Accepted().With(found));
        return found.Count;
    }

    /// <summary>Takes it back; says how many series that were.</summary>
    public static int Unaccept(this HistoryStore store, string id)
    {
        var accepted = store.Accepted();
        var left = accepted with { Changes = [.. accepted.Changes.Where(change => change.Id != id)] };
        store.Keep(left);
        return accepted.Changes.Count - left.Changes.Count;
    }

    /// <summary>The comparison, with the reason beside every regressed row that people know of.</summary>
    public static Comparison WithAccepted(this HistoryStore store, SessionHeader header, Comparison comparison)
    {
        var accepted = store.Accepted().Changes;
        return accepted.Count == 0 ? comparison : comparison with { Cells = [.. comparison.Cells.Select(Known)] };

        ComparedMetric Known(ComparedMetric row)
        {
            if (row.Verdict != Verdict.Regressed || header.Cells.FirstOrDefault(cell => cell.Id == row.Cell) is not { } cell
                || cell.Arms.FirstOrDefault(arm => arm.Id == row.Arm) is not { } arm)
            {
                return row;
            }

            var series = SeriesName.Of(cell, arm, cell.PrimaryMetric, MachineFingerprint.Of(header).In(header.Executor)).Hash;
            var (before, after) = (PointRow.Text(SeriesName.CommitOf(cell.Reference)), PointRow.Text(SeriesName.CommitOf(arm)));
            return accepted.FirstOrDefault(change => change.Change > 0 && change.IsOf(series, before, after)) is { } known
                ? row with { Accepted = known.Because, Warnings = [.. row.Warnings, Sentence(known)] } : row;
        }
    }

    internal static void Keep(this HistoryStore store, AcceptedChanges accepted) => store.Put(new(
        Name, accepted.Changes.Select(change => change.On.ToUnixTimeMilliseconds()).DefaultIfEmpty(0).Max(),
        AcceptedChanges.File.Write(accepted)));

    private static string Sentence(AcceptedChange known) =>
        Invariant($"known, and accepted on {known.On.UtcDateTime:yyyy-MM-dd}: {UntrustedText.Line(known.Because, UntrustedText.MaxChars)}");

    private static List<AcceptedChange>? OfTrend(HistoryStore store, string id, string because, DateTimeOffset now) =>
        store.State()?.Changes.FirstOrDefault(change => change.Id == id) is { } known
            ? [.. known.Members.Where(member => member.Change > 0).Select(member => new AcceptedChange
            {
                Id = id,
                Series = member.Series,
                Before = known.Before.Commit,
                After = known.After,
                Change = member.Change,
                Because = because,
                On = now,
            })] : null;

    private static List<AcceptedChange> OfSession(HistoryStore store, string id, string because, DateTimeOffset now) =>
        store.Do($"reading session {id}", () => store.Database.Rows(
            """
            SELECT e.hash, s.started, t.reference_name, t.commit_name, t.change
            FROM points t JOIN sessions s ON s.number = t.session JOIN series e ON e.number = t.series
            WHERE s.id = @id AND t.is_primary = 1 AND t.verdict = @verdict AND t.change IS NOT NULL ORDER BY e.hash
            """,
            row => new AcceptedChange
            {
                Id = id,
                Series = row.GetString(0),
                Before = row.IsDBNull(2) ? null : row.GetString(2),
                After = new(id, DateTimeOffset.FromUnixTimeMilliseconds(row.GetInt64(1)), row.IsDBNull(3) ? null : row.GetString(3)),
                Change = Math.Exp(row.GetDouble(4)) - 1,
                Because = because,
                On = now,
            },
            ("id", id), ("verdict", Core.Files.Words.Of(Verdict.Regressed))).ToList());
}
