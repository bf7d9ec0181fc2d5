namespace PerfLab.Core.Reporting.Site;

/// <summary>Any two series, and any two sessions or commits of them, side by side: chosen by the reader, so a script does it.</summary>
internal static class ComparePage
{
    public static string Script { get; } = Read();

    public static SiteFile Of(SiteSettings settings, SiteHistory history)
    {
        var page = SiteFrame.Page(settings, "compare.html", "Compare", (writer, _) =>
        {
            writer.Text("p", "Choose two series (arms), and a session (a commit) of each.", ("class", "lead"))
                .Open("noscript").Text("p",
                "Choosing takes JavaScript. Without it: each series' page has its values, changes and commits as a table, "
                    + "and each session's page has its rows.").Close();
            if (history.Sessions.Count == 0)
            {
                writer.Text("p", "Nothing was measured yet, so there is nothing to choose from.");
                return;
            }

            writer.Open("form", ("id", "choice"), ("hidden", "hidden"));
            foreach (var (side, name) in new[] { ("a", "first"), ("b", "second") })
            {
                writer.Open("div", ("class", "tools"))
                    .Open("label").Words($"{name}: filter series by words").Empty("input", ("type", "search"), ("id", $"{side}-filter"),
                    ("autocomplete", "off")).Close()
                    .Open("label").Words($"{name}: series").Open("select", ("id", $"{side}-series"), ("size", "6")).Close().Close()
                    .Open("label").Words($"{name}: session").Open("select", ("id", $"{side}-point"), ("size", "6")).Close().Close().Close();
            }

            writer.Close().Open("div", ("id", "answer"), ("aria-live", "polite")).Close();
        });
        var scripts = "<script src=\"data/series.js\"></script>\n<script src=\"compare.js\"></script>\n</body>";
        return page with { Content = page.Content.Replace("</body>", scripts, StringComparison.Ordinal) };
    }

    /// <summary>Every series by name, for choosing.</summary>
    public static SiteFile Index(IReadOnlyList<SeriesLine> lines)
    {
        var list = new JsonArray([.. lines.Select(line => (JsonNode)new JsonArray(
            line.Hash[..16], line.Name.Workload, SiteNames.Label(line.Name), line.Name.Metric, line.Name.Cpu))]);
        return new("data/series.js", $"const perfLabIndex = {list.ToJsonString()};\n");
    }

    private static string Read()
    {
        using var reader = new StreamReader(typeof(ComparePage)
            .Assembly.GetManifestResourceStream("PerfLab.Core.Reporting.Html.compare.js")!);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
