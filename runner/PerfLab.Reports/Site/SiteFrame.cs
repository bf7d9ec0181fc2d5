using PerfLab.Core.Files;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Reports.Html;

namespace PerfLab.Reports.Site;

/// <summary>What stands around every page of a site: its name and the way to the others.</summary>
internal static class SiteFrame
{
    private static readonly (string Page, string Name)[] Pages =
        [("index.html", "Overview"), ("sessions.html", "Sessions"), ("compare.html", "Compare"), ("aa.html", "A/A ledger"),
            ("machines.html", "Machines and cost")];

    public static SiteFile Page(SiteSettings settings, string path, string title, Action<HtmlWriter, string> body)
    {
        var root = string.Concat(Enumerable.Repeat("../", path.Count(letter => letter == '/')));
        return new(path, HtmlPage.OfFolder($"{title} - {settings.Name}", root, writer =>
        {
            writer.Open("header").Name("p", settings.Name, ("class", "dim")).Open("nav", ("aria-label", "Pages")).Open("ul");
            foreach (var (page, name) in Pages)
            {
                writer.Open("li").Text("a", name, page == path ? [("href", root + page), ("aria-current", "page")]
                    : [("href", root + page)]).Close();
            }

            writer.Close().Close().Name("h1", title).Close().Open("main", ("id", "content"));
            body(writer, root);
            writer.Close();
        }));
    }

    /// <summary>A small table that sorts.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="id">Of the table.</param>
    /// <param name="caption">What it shows.</param>
    /// <param name="heads">One over figures ends in a number sign, which is not shown.</param>
    /// <param name="rows">Writes them.</param>
    public static void Table(HtmlWriter writer, string id, string caption, IReadOnlyList<string> heads, Action rows)
    {
        HtmlTable.Open(writer, id, caption,
            [.. heads.Select(head => head.EndsWith('#') ? (head[..^1], "figure") : (head, HtmlTable.Words))]);
        rows();
        HtmlTable.Close(writer);
    }

    /// <summary>A cell with a number that sorts; one without has none.</summary>
    public static void Figure(HtmlWriter writer, string text, double? number) => writer.Text("td", text, ("class", "figure"),
        ("data-v", number is { } known && double.IsFinite(known) ? known.ToString("R", CultureInfo.InvariantCulture) : ""));

    /// <summary>What the one verdict means that tells nobody what to do, where the page has it.</summary>
    public static void NotSteady(HtmlWriter writer, IEnumerable<string?> verdicts)
    {
        var word = Words.Of(Verdict.NotSteady);
        if (verdicts.Contains(word, StringComparer.Ordinal))
        {
            writer.Text("p", $"{word}: programs still warmed up while they were measured, so no direction is said. "
                + "Measure again with --warm-up SECONDS; the whole report says how many.", ("class", "dim"));
        }
    }

    public static void Commit(HtmlWriter writer, SiteSettings settings, string? commit)
    {
        if (SiteNames.CommitPage(settings, commit) is { } page)
        {
            writer.Name("a", SiteNames.Commit(commit), ("href", page));
        }
        else
        {
            writer.Name("span", SiteNames.Commit(commit));
        }
    }
}
