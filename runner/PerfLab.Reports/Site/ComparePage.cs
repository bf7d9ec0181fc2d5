using PerfLab.Reports.Html;

namespace PerfLab.Reports.Site;

/// <summary>Any two commits over every series of a workload, and any two series with a session of each: chosen by the reader, so a
/// script does it.</summary>
internal static class ComparePage
{
    public static string Script { get; } = Read();

    public static SiteFile Of(SiteSettings settings, SiteHistory history)
    {
        var page = SiteFrame.Page(settings, "compare.html", "Compare", (writer, _) =>
        {
            writer.Open("noscript").Text("p",
                "Choosing takes JavaScript. Without it: each series' page has its values, changes and commits as a table, "
                    + "and each session's page has its rows.").Close();
            if (history.Sessions.Count == 0)
            {
                writer.Text("p", "Nothing was measured yet, so there is nothing to choose from.");
                return;
            }

            Commits(writer);
            Series(writer);
        });
        var scripts = "<script src=\"data/series.js\"></script>\n<script src=\"compare.js\"></script>\n</body>";
        return page with { Content = page.Content.Replace("</body>", scripts, StringComparison.Ordinal) };
    }

    private static void Commits(HtmlWriter writer)
    {
        writer.Open("section", ("aria-labelledby", "two-commits"))
            .Text("h2", "Two commits, every series of a workload", ("id", "two-commits"))
            .Open("form", ("class", "tools choice"), ("hidden", "hidden"));
        Select(writer, "workload", "c-workload");
        writer.Open("label").Words("filter series by words, then Enter").Empty("input", ("type", "search"), ("id", "c-filter"),
            ("autocomplete", "off")).Close();
        Select(writer, "first: commit", "c-first");
        Select(writer, "second: commit", "c-second");
        writer.Close().Open("div", ("id", "commits-answer"), ("aria-live", "polite")).Close().Close();
    }

    private static void Series(HtmlWriter writer)
    {
        writer.Open("section", ("aria-labelledby", "two-series")).Text("h2", "Two series (arms), a session of each", ("id", "two-series"))
            .Open("form", ("id", "choice"), ("class", "choice"), ("hidden", "hidden"));
        foreach (var (side, name) in new[] { ("a", "first"), ("b", "second") })
        {
            writer.Open("div", ("class", "tools"))
                .Open("label").Words($"{name}: filter series by words").Empty("input", ("type", "search"), ("id", $"{side}-filter"),
                ("autocomplete", "off")).Close();
            Select(writer, $"{name}: series", $"{side}-series", ("size", "6"));
            Select(writer, $"{name}: session", $"{side}-point", ("size", "6"));
            writer.Close();
        }

        writer.Close().Open("div", ("id", "answer"), ("aria-live", "polite")).Close().Close();
    }

    private static void Select(HtmlWriter writer, string label, string id, params IEnumerable<(string, string)> more) =>
        writer.Open("label").Words(label).Open("select", [("id", id), .. more]).Close().Close();

    /// <summary>Every series by name, for choosing.</summary>
    public static SiteFile Index(IReadOnlyList<SeriesLine> lines, SiteLabels labels)
    {
        var list = new JsonArray([.. lines.Select(line => (JsonNode)new JsonArray(
            line.Hash[..16], line.Name.Workload, labels.Of(line.Hash), line.Name.Metric, line.Name.Cpu))]);
        return new("data/series.js", $"const perfLabIndex = {list.ToJsonString()};\n");
    }

    private static string Read()
    {
        using var reader = new StreamReader(typeof(ComparePage)
            .Assembly.GetManifestResourceStream("PerfLab.Reports.Html.compare.js")!);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
