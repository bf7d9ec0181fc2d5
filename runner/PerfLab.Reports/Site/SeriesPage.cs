using PerfLab.Core.Model;
using PerfLab.Core.Trends;
using PerfLab.Reports.Text;

namespace PerfLab.Reports.Site;

/// <summary>The page of one series: two pictures, what changed in words, the newest sessions, and all of them as data.</summary>
internal static class SeriesPage
{
    /// <summary>Rows in the table; the data file has every session.</summary>
    private const int MostRows = 20;

    public static SiteFile Of(SiteSettings settings, SiteHistory history, SiteSeries series)
    {
        var name = series.Name;
        var (marks, sentences) = Marks(history, series);
        return SiteFrame.Page(settings, SiteNames.Series(series.Hash), name.Workload, (writer, root) =>
        {
            writer.Name("p", SiteNames.Label(name), ("class", "lead"))
                .Name("p", $"{name.Metric} in {(name.Unit.Length == 0 ? "no unit" : name.Unit)}, "
                    + $"{(name.Better == Better.Higher ? "higher" : "lower")} is better; {name.Executor} on {name.Cpu}",
                    ("class", "dim"));
            var changes = series.OnOneLine(history.Sessions).Count(point => point.Change is not null);
            if (changes > 0)
            {
                writer.Open("figure", ("class", "fits"), ("tabindex", "0"), ("aria-label", "Change over time"))
                    .Own(SeriesSvg.Changes(series, history.Sessions, marks)).Close();
            }

            if (series.Points.Any(point => point.Value is not null))
            {
                writer.Open("figure", ("class", "fits"), ("tabindex", "0"), ("aria-label", "Values over time"))
                    .Own(SeriesSvg.Values(series, history.Sessions, marks)).Close();
            }

            Sentences(writer, settings, sentences, series.Hash);
            Newest(writer, settings, history, series, root);
            writer.Open("p").Text("a", "All sessions of this series as data", ("href", root + SiteNames.SeriesData(series.Hash)))
                .Words("·").Text("a", "Compare it with another", ("href", $"{root}compare.html#{series.Hash[..16]}")).Close();
        });
    }

    /// <summary>Every session as one call: a page from a folder may load a script, and nothing else.</summary>
    public static SiteFile DataOf(SiteHistory history, SiteSeries series)
    {
        var json = new JsonObject
        {
            ["workload"] = series.Name.Workload,
            ["label"] = SiteNames.Label(series.Name),
            ["values"] = new JsonObject(series.Name.Values.Select(pair => KeyValuePair.Create(pair.Key, (JsonNode?)pair.Value))),
            ["metric"] = series.Name.Metric,
            ["unit"] = series.Name.Unit,
            ["machine"] = series.Name.Machine,
            ["isTrend"] = series.Points.Any(point => history.Sessions[point.Session].Kind == SiteSession.Trend),
            ["columns"] = "session, started, commit, reference, ln(change), ln(low), ln(high), value, referenceValue, kind",
            ["points"] = new JsonArray([.. series.Points.Select(point => (JsonNode)new JsonArray(
                history.Sessions[point.Session].Id, history.Sessions[point.Session].Started.ToUnixTimeSeconds(),
                SiteNames.ShortCommit(point.Commit), SiteNames.ShortCommit(point.Reference),
                Digits(point.Change), Digits(point.Low), Digits(point.High), Digits(point.Value), Digits(point.ReferenceValue),
                history.Sessions[point.Session].Kind))]),
        };
        // The default encoder writes every < and every sign beyond ASCII as \u....: nothing in it can end a script.
        return new(SiteNames.SeriesData(series.Hash), $"perfLabSeries(\"{series.Hash[..16]}\", {json.ToJsonString()});\n");
    }

    /// <summary>Six digits are more than any of them is sure of.</summary>
    private static JsonValue? Digits(double? value) => value is { } number && double.IsFinite(number)
        ? JsonValue.Create(decimal.TryParse(number.ToString("G6", CultureInfo.InvariantCulture), NumberStyles.Float,
        CultureInfo.InvariantCulture, out var short6) ? (double)short6 : number)
        : null;

    private static (List<SeriesMark> Marks, List<TrendChange> Changes) Marks(SiteHistory history, SiteSeries series)
    {
        var changes = (history.Trend?.Changes ?? []).Where(change => change.Members.Any(member => member.Series == series.Hash)).ToList();
        // Both places are one session further out than where the step was seen: it lies between them.
        var marks = changes.Select((change, index) => new SeriesMark(
            change.Before.Started + ((change.After.Started - change.Before.Started) / 2),
            Invariant($"{index + 1}"), change.Status == ChangeStatus.Environment)).ToList();
        marks.AddRange((history.Trend?.Environment ?? []).Where(step => step.Machine == series.Name.Machine)
            .Select(step => new SeriesMark(step.After.Started, "m", IsOfMachine: true)));
        return (marks, changes);
    }

    private static void Sentences(Html.HtmlWriter writer, SiteSettings settings, List<TrendChange> changes, string series)
    {
        if (changes.Count == 0)
        {
            writer.Text("p", "No change of level is known in this series.");
            return;
        }

        writer.Open("section", ("aria-labelledby", "changed")).Text("h2", "What changed", ("id", "changed")).Open("ol");
        foreach (var change in changes)
        {
            writer.Open("li");
            ChangeWords.Line(writer, settings, change, change.Members.First(member => member.Series == series));
            writer.Close();
        }

        writer.Close();
        ChangeWords.Legend(writer, changes);
        writer.Close();
    }

    private static void Newest(Html.HtmlWriter writer, SiteSettings settings, SiteHistory history, SiteSeries series, string root)
    {
        var unit = series.Name.Unit;
        writer.Open("section", ("aria-labelledby", "newest"))
            .Text("h2", series.Points.Count > MostRows ? Invariant($"The newest {MostRows} of {series.Points.Count} sessions")
            : "Sessions", ("id", "newest"));
        SiteFrame.Table(writer, "points", "Sessions of this series, the newest first", ["session", "kind", "commit", "measured against",
            "value#", "change#", "noise#", "verdict"], () =>
        {
            foreach (var point in series.Points.Reverse().Take(MostRows))
            {
                var session = history.Sessions[point.Session];
                writer.Open("tr").Open("th", ("scope", "row")).Text("a", SiteNames.Day(session.Started),
                    ("href", root + SiteNames.Session(session))).Close()
                    .Text("td", session.Kind).Open("td");
                SiteFrame.Commit(writer, settings, point.Commit);
                writer.Close().Open("td");
                SiteFrame.Commit(writer, settings, point.Reference);
                writer.Close();
                SiteFrame.Figure(writer, Quantity.Format(unit, point.Value)[0], point.Value);
                SiteFrame.Figure(writer, Percent.Change(Fraction(point.Change), Fraction(point.Low), Fraction(point.High), unit),
                    point.Change);
                SiteFrame.Figure(writer, Percent.Of(point.Noise), point.Noise);
                writer.Name("td", point.Verdict ?? "").Close();
            }
        });
        SiteFrame.NotSteady(writer, series.Points.Reverse().Take(MostRows).Select(point => point.Verdict));
        writer.Close();
    }

    public static double? Fraction(double? log) => log is { } known && Math.Exp(known) - 1 is var fraction && double.IsFinite(fraction)
        ? fraction : null;
}
