using PerfLab.Core.Model;
using PerfLab.Reports.Html;
using PerfLab.Reports.Svg;
using PerfLab.Reports.Text;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Trends;

namespace PerfLab.Reports.Site;

/// <summary>The first page: a sentence, what changed, and a row for each workload with its year as a line.</summary>
internal static class OverviewPage
{
    private const int MostChanges = 60, MostProblems = 20, MostPlaces = 180, MostSessions = 8;
    private const double Width = 220, Height = 44;

    public static SiteFile Of(
        SiteSettings settings, SiteHistory history, IReadOnlyList<SeriesLine> lines, IReadOnlyDictionary<string, WorkloadTrack> tracks,
        IReadOnlyCollection<string> problems) => SiteFrame.Page(settings, "index.html", "Overview", (writer, _) =>
    {
        var changes = (history.Trend?.Changes ?? []).OrderByDescending(change => change.After.Started).ThenBy(change => change.Id,
            StringComparer.Ordinal).ToList();
        writer.Text("p", Sentence(history, lines, changes), ("class", "lead")).Text("p", Rate(history.FalseFlags), ("class", "dim"));
        if (problems.Count > 0)
        {
            writer.Open("section", ("class", "notice"), ("aria-label", "What could not be read")).Open("ul");
            foreach (var problem in problems.Take(MostProblems))
            {
                writer.Name("li", problem);
            }

            writer.Close().Close();
        }

        Changes(writer, settings, history, lines, changes);
        Workloads(writer, history, lines, tracks);
        if (history.Sessions.Count > 0)
        {
            writer.Open("section", ("aria-labelledby", "newest")).Text("h2", "The newest sessions", ("id", "newest"));
            SessionPages.Table(writer, history.Sessions.TakeLast(MostSessions).Reverse());
            writer.Close();
        }
    });

    private static string Sentence(SiteHistory history, IReadOnlyList<SeriesLine> lines, List<TrendChange> changes)
    {
        if (history.Sessions.Count == 0)
        {
            return "Nothing was measured yet: `./perf-lab run` keeps every session, and this page shows them.";
        }

        var open = changes.Count(ChangeWords.IsOpenSlowdown);
        var newest = history.Sessions[^1].Started;
        var slower = open switch
        {
            0 => "No confirmed slowdown is open",
            1 => "1 confirmed slowdown is open",
            _ => Invariant($"{open} confirmed slowdowns are open"),
        };
        return $"{slower}; "
            + Invariant($"{lines.Count} series in {Counted.Of(history.Sessions.Count, "session")}, ")
            + $"the newest of {SiteNames.Day(newest)} UTC.";
    }

    internal static string Rate(FalseFlags? flags) => flags is not { Runs: > 0 }
        ? "How often the lab itself is wrong is not yet measured: run ./perf-lab run … --aa."
        : Invariant($"How often the lab itself was wrong: {flags.Flagged} of {flags.Runs} A/A runs were flagged ")
            + $"(true rate between {Percent.Of(flags.Low)} and {Percent.Of(flags.High)}, with 95 % confidence).";

    private static void Changes(HtmlWriter writer, SiteSettings settings, SiteHistory history, IReadOnlyList<SeriesLine> lines,
        List<TrendChange> changes)
    {
        writer.Open("section", ("aria-labelledby", "changed")).Text("h2", "What changed", ("id", "changed"));
        if (changes.Count == 0)
        {
            writer.Text("p", history.Trend is null ? "Nobody looked at the trend yet: ./perf-lab trend does, over sessions with --anchor."
                : "No change of level is known.").Close();
            return;
        }

        var known = lines.Select(line => line.Hash).ToHashSet(StringComparer.Ordinal);
        SiteFrame.Table(writer, "changes", "Changes, the newest first", ["workload", "change", "state", "between", "series#"], () =>
        {
            foreach (var change in changes.Take(MostChanges))
            {
                var first = change.Members[0];
                writer.Open("tr").Open("th", ("scope", "row"));
                if (known.Contains(first.Series))
                {
                    writer.Name("a", first.Workload, ("href", SiteNames.Series(first.Series)));
                }
                else
                {
                    writer.Name("span", first.Workload);
                }

                writer.Close();
                writer.Text("td", Percent.InWords(first.Change, first.Unit), ("class", Style(change)),
                    ("data-v", first.Change.ToString("R", CultureInfo.InvariantCulture))).Text("td", ChangeWords.State(change)).Open("td");
                SiteFrame.Commit(writer, settings, change.Before.Commit);
                writer.Words("and");
                SiteFrame.Commit(writer, settings, change.After.Commit);
                writer.Close();
                SiteFrame.Figure(writer, change.Members.Count.ToString(CultureInfo.InvariantCulture), change.Members.Count);
                writer.Close();
            }
        });
        ChangeWords.Legend(writer, changes.Take(MostChanges));
        if (changes.Count > MostChanges)
        {
            writer.Text("p", Invariant($"The newest {MostChanges} of {changes.Count}; ./perf-lab trend lists all."));
        }

        if (history.Trend is { Stopped.Count: > 0 } trend)
        {
            writer.Text("p", Invariant(
                $"{trend.Stopped.Count} series {(trend.Stopped.Count == 1 ? "has" : "have")} no value ")
                + Invariant($"in the newest {TrendLook.StoppedAfter} sessions of {(trend.Stopped.Count == 1 ? "its" : "their")} machine."));
        }

        writer.Close();
    }

    /// <summary>Coloured is what is, or may be, a change of the program.</summary>
    private static string Style(TrendChange change) => change switch
    {
        { Status: not (ChangeStatus.Confirmed or ChangeStatus.Due) } or { Accepted: not null } => "word",
        { Members: [{ Change: > 0 }, ..] } => "regressed",
        _ => "improved",
    };

    private static void Workloads(HtmlWriter writer, SiteHistory history, IReadOnlyList<SeriesLine> lines, IReadOnlyDictionary<string,
        WorkloadTrack> tracks)
    {
        writer.Open("section", ("aria-labelledby", "workloads")).Text("h2", "Workloads", ("id", "workloads"));
        var moved = (history.Trend?.Changes ?? []).Where(change => change.Status == ChangeStatus.Confirmed)
            .SelectMany(change => change.Members.Select(member => (member.Series, change.Id))).ToLookup(one => one.Series, one => one.Id,
            StringComparer.Ordinal);
        SiteFrame.Table(writer, "list", "Every workload; up in its line is slower or worse than the anchor",
            ["workload", "its series over time", "change now#", "series#", "confirmed changes#", "newest"], () =>
        {
            foreach (var workload in lines.GroupBy(line => line.Name.Workload, StringComparer.Ordinal))
            {
                var count = workload.SelectMany(line => moved[line.Hash]).Distinct(StringComparer.Ordinal).Count();
                var newest = workload.Max(line => line.Last.Session);
                writer.Open("tr").Open("th", ("scope", "row")).Name("a", workload.Key, ("href", SiteNames.Workload(workload.Key, 0)))
                    .Close();
                Track(writer, tracks.GetValueOrDefault(workload.Key)?.Points.ToList() ?? [],
                    workload.Select(line => line.Name.Unit).First());
                SiteFrame.Figure(writer, workload.Count().ToString(CultureInfo.InvariantCulture), workload.Count());
                SiteFrame.Figure(writer, count.ToString(CultureInfo.InvariantCulture), count);
                writer.Text("td", SiteNames.Day(history.Sessions[newest].Started)).Close();
            }
        });
        writer.Close();
    }

    /// <summary>The middle of a workload's series: its line, and where that is now. Both sort by the latter.</summary>
    private static void Track(HtmlWriter writer, List<(int Session, double Median)> points, string unit)
    {
        var now = points.Count > 0 ? points[^1].Median : (double?)null;
        writer.Open("td", ("data-v", now?.ToString("R", CultureInfo.InvariantCulture) ?? ""));
        if (points.Count > 1)
        {
            writer.Own(Spark(points));
        }
        else
        {
            writer.Words(points.Count == 1 ? "one session" : "no trend");
        }

        writer.Close();
        SiteFrame.Figure(writer, Percent.Change(SeriesPage.Fraction(now), null, null, unit), now);
    }

    private static string Spark(List<(int Session, double Median)> points)
    {
        // More places than pixels say nothing.
        var every = Math.Max(1, points.Count / MostPlaces);
        var shown = points.Where((_, index) => index % every == 0 || index == points.Count - 1).ToList();
        var axis = ChangeAxis.Of([.. shown.Select(point => point.Median), 0.01, -0.01], "s");
        double Y(double median) => 4 + ((1 - axis.Place(median)) * (Height - 8));
        string Place(int index) => Invariant($"{4 + (index * (Width - 8) / (shown.Count - 1)):0.#} {Y(shown[index].Median):0.#}");
        var svg = new SvgWriter(isInPage: true);
        string Shown(double median) => Percent.Change(SeriesPage.Fraction(median), null, null, "s");
        var label = $"from {Shown(shown[0].Median)} to {Shown(shown[^1].Median)} against the anchor";
        svg.Open("svg", ("xmlns", "http://www.w3.org/2000/svg"), ("width", Width), ("height", Height),
            ("viewBox", Invariant($"0 0 {Width} {Height}")), ("role", "img"),
            ("aria-label", label));
        var zero = Y(0);
        svg.Empty("line", ("class", "grid"), ("x1", 4.0), ("x2", Width - 4), ("y1", zero), ("y2", zero));
        svg.Empty("path", ("class", "line s0"), ("d", "M" + string.Join('L', Enumerable.Range(0, shown.Count).Select(Place))));
        svg.Close();
        return svg.ToString();
    }
}
