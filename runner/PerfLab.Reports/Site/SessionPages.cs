using PerfLab.Core.Model;
using PerfLab.Reports.Html;
using PerfLab.Reports.Text;
using PerfLab.Core.Trends;

namespace PerfLab.Reports.Site;

/// <summary>A page for each session, and the lists of them.</summary>
internal static class SessionPages
{
    private const int MostOnAPage = 400;

    public static SiteFile Of(SiteSettings settings, SiteSession session, IReadOnlyList<SessionRow> rows,
        (TrendState? Trend, SiteLabels Labels) known) =>
        SiteFrame.Page(settings, SiteNames.Session(session), $"Session {session.Id}", (writer, root) =>
        {
            HtmlEvidence.Facts(writer,
            [
                ("started", SiteNames.Day(session.Started) + " UTC"), ("kind", session.Kind), ("machine", session.Cpu),
                    ("executor", session.Executor),
                ("cells", Invariant($"{session.Cells}")), ("launches", Invariant($"{session.Launches}")), ("complete", session.Complete
                    ? "yes" : "no, it was cut"),
                ("flagged anything", session.IsFlagged ? "yes" : "no"), ("journal", session.Hash),
            ]);
            foreach (var change in (known.Trend?.Changes ?? []).Where(change => change.Experiment?.Session == session.Id))
            {
                writer.Open("p", ("class", "notice")).Words("The experiment of a change:");
                var measured = change.Members.FirstOrDefault(member => member.Series == change.Experiment!.Series);
                ChangeWords.Line(writer, settings, change, measured ?? change.Members[0]);
                writer.Close();
            }

            writer.Open("section", ("aria-labelledby", "rows")).Text("h2", rows.Count < session.Cells
                ? $"{Counted.Of(rows.Count, "row")}, what moved first" : "Rows, what moved first", ("id", "rows"));
            if (rows.Count == 0)
            {
                writer.Text("p", "It has no row that could be read.").Close();
                return;
            }

            SiteFrame.Table(writer, "cells", "Rows of this session",
                ["workload", "series", "base#", "head#", "change#", "noise#", "rounds#", "verdict"], () =>
            {
                foreach (var row in rows)
                {
                    var (unit, point) = (row.Name.Unit, row.Point);
                    var values = Quantity.Format(unit, point.ReferenceValue, point.Value);
                    writer.Open("tr").Name("th", row.Name.Workload, ("scope", "row")).Open("td")
                        .Name("a", known.Labels.Of(row.Hash),
                        ("href", root + SiteNames.Series(row.Hash))).Close();
                    SiteFrame.Figure(writer, values[0], point.ReferenceValue);
                    SiteFrame.Figure(writer, values[1], point.Value);
                    SiteFrame.Figure(writer, Percent.Change(SeriesPage.Fraction(point.Change), SeriesPage.Fraction(point.Low),
                        SeriesPage.Fraction(point.High), unit), point.Change);
                    SiteFrame.Figure(writer, Percent.Of(point.Noise), point.Noise);
                    SiteFrame.Figure(writer, point.Rounds.ToString(CultureInfo.InvariantCulture), point.Rounds);
                    writer.Name("td", point.Verdict ?? "", ("class", point.Verdict is "regressed" or "failed" ? "regressed"
                        : point.Verdict is "improved" ? "improved" : "word")).Close();
                }
            });
            SiteFrame.NotSteady(writer, rows.Select(row => row.Point.Verdict));
            writer.Text("p", "The whole report: ./perf-lab history export FOLDER, ./perf-lab compare JOURNAL --json > comparison.json, "
                + "./perf-lab report SESSION --format html.", ("class", "dim")).Close();
        });

    /// <summary>"sessions.html", then as many as it takes, the newest first.</summary>
    public static IEnumerable<SiteFile> Lists(SiteSettings settings, SiteHistory history)
    {
        var pages = history.Sessions.Reverse().Chunk(MostOnAPage).DefaultIfEmpty([]).ToList();
        for (var page = 0; page < pages.Count; page++)
        {
            var sessions = pages[page];
            yield return SiteFrame.Page(settings, Name(page), "Sessions", (writer, _) =>
            {
                if (sessions.Length == 0)
                {
                    writer.Text("p", "No session is kept yet.");
                    return;
                }

                Table(writer, sessions);
                if (page + 1 < pages.Count)
                {
                    writer.Open("p").Text("a", "Older sessions", ("href", Name(page + 1))).Close();
                }
            });
        }
    }

    /// <summary>Sessions, each linked; on a page beside the list's own.</summary>
    public static void Table(Html.HtmlWriter writer, IEnumerable<SiteSession> sessions) => SiteFrame.Table(writer, "sessions",
        "Sessions, the newest first", ["started", "kind", "cells#", "launches#", "flagged", "machine", "executor", "session"], () =>
    {
        foreach (var session in sessions)
        {
            writer.Open("tr").Open("th", ("scope", "row")).Text("a", SiteNames.Day(session.Started),
                ("href", SiteNames.Session(session))).Close().Text("td", session.Kind);
            SiteFrame.Figure(writer, session.Cells.ToString(CultureInfo.InvariantCulture), session.Cells);
            SiteFrame.Figure(writer, session.Launches.ToString(CultureInfo.InvariantCulture), session.Launches);
            writer.Text("td", session.IsFlagged ? "yes" : "no").Name("td", session.Cpu).Name("td", session.Executor)
                .Name("td", session.Complete ? session.Id : $"{session.Id} (cut)").Close();
        }
    });

    private static string Name(int page) => page == 0 ? "sessions.html" : Invariant($"sessions-{page + 1}.html");
}
