using PerfLab.Reports.Html;
using PerfLab.Reports.Text;

namespace PerfLab.Reports.Site;

/// <summary>All series of a workload as a list that can be sorted and filtered, on as many pages as it takes.</summary>
internal static class WorkloadPages
{
    /// <summary>Series on a page: below 200 kB with names of a usual length.</summary>
    private const int MostOnAPage = 300;

    public static IEnumerable<SiteFile> Of(SiteSettings settings, SiteHistory history, IReadOnlyList<SeriesLine> lines, SiteLabels labels)
    {
        foreach (var workload in lines.GroupBy(line => line.Name.Workload, StringComparer.Ordinal))
        {
            var pages = workload.Chunk(MostOnAPage).ToList();
            for (var page = 0; page < pages.Count; page++)
            {
                yield return Page(settings, history, (workload.Key, page, pages.Count), pages[page], labels);
            }
        }
    }

    private static SiteFile Page(SiteSettings settings, SiteHistory history, (string Workload, int Page, int Pages) place,
        SeriesLine[] lines, SiteLabels labels) =>
        SiteFrame.Page(settings, SiteNames.Workload(place.Workload, place.Page), place.Workload, (writer, root) =>
        {
            if (place.Pages > 1)
            {
                writer.Open("nav", ("aria-label", "Parts of this list")).Open("ul");
                for (var page = 0; page < place.Pages; page++)
                {
                    var there = ("href", root + SiteNames.Workload(place.Workload, page));
                    writer.Open("li").Text("a", Invariant($"{page + 1}"), page == place.Page ? [there, ("aria-current", "page")] : [there])
                        .Close();
                }

                writer.Close().Close();
            }

            HtmlTable.Tools(writer, "series", [], "");
            SiteFrame.Table(writer, "series",
                Invariant($"Series {1 + (place.Page * MostOnAPage)} to {(place.Page * MostOnAPage) + lines.Length}"),
                ["series", "metric", "newest value#", "change#", "sessions#", "newest", "machine"], () =>
            {
                foreach (var line in lines)
                {
                    Row(writer, history, line, labels.Of(line.Hash), root);
                }
            });
        });

    private static void Row(HtmlWriter writer, SiteHistory history, SeriesLine line, string label, string root)
    {
        var (unit, last) = (line.Name.Unit, line.Last);
        writer.Open("tr").Open("th", ("scope", "row")).Name("a", label, ("href", root + SiteNames.Series(line.Hash))).Close()
            .Name("td", line.Name.Metric);
        SiteFrame.Figure(writer, Quantity.Format(unit, last.Value)[0], last.Value);
        SiteFrame.Figure(writer, Percent.Change(SeriesPage.Fraction(last.Change), SeriesPage.Fraction(last.Low),
            SeriesPage.Fraction(last.High), unit), last.Change);
        SiteFrame.Figure(writer, line.Points.ToString(CultureInfo.InvariantCulture), line.Points);
        writer.Text("td", SiteNames.Day(history.Sessions[last.Session].Started)).Name("td", $"{line.Name.Cpu}, {line.Name.Executor}")
            .Close();
    }
}
