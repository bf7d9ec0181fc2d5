using System.Globalization;
using System.Text.RegularExpressions;
using PerfLab.Core.Model;
using PerfLab.Core.Profiles;
using PerfLab.Reports;
using PerfLab.Reports.Html;
using PerfLab.Reports.Svg;
using PerfLab.Reports.Text;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Reporting.Html;

/// <summary>The page as text; what a browser makes of it is tested in tests/workflows/pages.</summary>
public sealed class HtmlReportTests
{
    [Theory]
    [InlineData("en-US")]
    [InlineData("ar-SA")]
    public void the_same_session_gives_the_same_bytes(string culture)
    {
        var before = CultureInfo.CurrentCulture;
        var page = Page(SamplePairs.FourCells());
        CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(culture);
        try
        {
            Page(SamplePairs.FourCells()).ShouldBe(page);
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Fact]
    public void a_page_has_the_verdict_a_table_and_a_picture_a_row_with_its_folds()
    {
        var page = Page(SamplePairs.FourCells());
        page.ShouldMatch(@"<h1>json-round-trip \(documents slower\) is [0-9.]+ % slower, 1 improved \(of 4 cells\)</h1>");
        Regex.Count(page, "<article ").ShouldBe(4);
        foreach (var fold in new[] { "rounds as a table", "came up to speed", "Histogram: latency", "Evidence: how its launches ran" })
        {
            Regex.Count(page, fold).ShouldBe(4, fold);
        }

        page.ShouldContain("""<pre class="command" tabindex="0">./perf-lab run json-round-trip --base pgo=off --head pgo=on""");
        // Nothing is loaded from anywhere, and every id is there once.
        page.Replace("http://www.w3.org/2000/svg", "").ShouldNotContain("http:");
        Matches(page, " (?:src|href)=\"([^\"]*)\"").Select(match => match.Groups[1].Value).ShouldAllBe(target => target.StartsWith('#') || target.StartsWith("data:"));
        Matches(page, " id=\"([^\"]*)\"").Select(match => match.Groups[1].Value).GroupBy(id => id).Where(same => same.Count() > 1).ShouldBeEmpty();
        Matches(page, "href=\"#([^\"]*)\"").Select(match => match.Groups[1].Value).ShouldAllBe(id => page.Contains($"id=\"{id}\""));
    }

    [Fact]
    public void the_sides_have_the_same_names_in_the_head_the_table_and_the_folds()
    {
        var page = Page(SamplePairs.FourCells());
        Regex.Count(page, "<th scope=\"col\" class=\"figure\">base</th>\n<th scope=\"col\" class=\"figure\">head</th>").ShouldBe(4);
        page.ShouldNotContain(">reference</th>");
        page.ShouldNotContain(">arm</th>\n<th scope=\"col\" class=\"figure\">difference");
    }

    [Fact]
    public void a_value_stays_beside_its_unit_on_a_phone() =>
        Regex.Count(Page(SampleSweeps.OneArm()), "<td class=\"figure whole\" data-v=\"[^\"]+\"><bdi>[^<]+ [^<]+</bdi>").ShouldBeGreaterThan(1);

    [Fact]
    public void names_are_text_and_stay_whole()
    {
        var page = Page(SamplePairs.Named(SamplePairs.Hostile, SamplePairs.Long));
        Regex.Count(page, "<script").ShouldBe(1);
        page.ShouldNotContain("<img");
        page.ShouldNotContain("\u202E");
        page.ShouldContain("&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
        page.ShouldContain($"<bdi>{SamplePairs.Long}");
        // In a picture it is broken into lines; put together again it is all there.
        var picture = RowPicture.Of(Report(SamplePairs.Named(SamplePairs.Hostile, SamplePairs.Long)).Report).Single(one => one.Row.Cell.StartsWith(SamplePairs.Long, StringComparison.Ordinal));
        var lines = Matches(RowSvg.Render(picture), "<text class=\"title\"[^>]*>([^<]*)</text>").Select(match => match.Groups[1].Value);
        string.Concat(lines).ShouldStartWith(SamplePairs.Long);
    }

    [Fact]
    public void without_rows_one_arm_or_values_that_can_be_drawn_there_is_still_a_page()
    {
        Page(SampleReports.NoCells(), ReportContext.None).ShouldContain("this session has no cells");
        var (comparison, context) = SampleReports.OneArm();
        Page(comparison, context).ShouldContain("Measured 1 of 2 cells of one arm");
        var sweep = SampleSweeps.OneArm();
        Page(sweep).ShouldContain("launches as a table");
        var (every, known) = SampleReports.EveryVerdict();
        var page = Page(every, known);
        page.ShouldContain("exit code 134");
        page.ShouldNotContain("NaN");
    }

    [Fact]
    public void what_is_unavailable_doubted_or_measured_again_is_said_with_its_reason_and_the_head_says_when_and_where()
    {
        var (comparison, context) = SampleReports.EveryVerdict();
        SessionChange[] sessions = [new(0.0306, 0.0242, 0.0381, 0.001, 20, true), new(0.01, -0.02, 0.04, 0.4, 20, false)];
        var again = comparison with { Cells = [.. comparison.Cells.Select(row => row.Primary && row.Cell == "c001" ? row with { Sessions = sessions } : row)] };
        var page = Page(again, context);
        page.ShouldContain("<bdi>2026-03-01 14:05 UTC · AMD EPYC 7763, 4 cores, Linux 6.12 · process</bdi>");
        page.ShouldContain("Unavailable here (1)");
        page.ShouldContain("package Microsoft.Orleans.Server 10.0.0: no source has it");
        page.ShouldContain("Measured again, minutes later (1)");
        page.ShouldContain("session 2: +1.0 % [-2.0, +4.0] (does not agree)");
        // In the list of all doubts, and beside the row that it is about.
        Regex.Count(page, "<bdi>head failed in 5 of 8 launches, base in 0</bdi>").ShouldBe(1);
        Regex.Count(page, "head failed in 5 of 8 launches, base in 0").ShouldBe(2);
        Page(SampleReports.NoCells(), ReportContext.None).ShouldNotContain("Unavailable here");
    }

    [Fact]
    public void more_doubts_than_anybody_reads_are_counted()
    {
        var (comparison, context) = SampleReports.EveryVerdict();
        var page = Page(comparison with { Warnings = [.. Enumerable.Range(0, 103).Select(index => FormattableString.Invariant($"doubt {index}"))] }, context);
        // With the executor's own.
        page.ShouldContain("and 4 more, in comparison.json");
        page.ShouldNotContain("doubt 99");
    }

    [Fact]
    public void folds_hold_what_the_launches_said_each_figure_under_its_head()
    {
        var samples = SamplePairs.FourCells();
        foreach (var launch in samples.Launches.Where(launch => launch.Arm == "base"))
        {
            launch.Evidence["many"] = new System.Text.Json.Nodes.JsonObject(Enumerable.Range(0, 400).Select(index =>
                KeyValuePair.Create(FormattableString.Invariant($"fact{index:000}"), (System.Text.Json.Nodes.JsonNode?)"\"a\" onclick='b'")));
        }

        var failed = samples.Launches[0] with { Outcome = Outcome.Failed, Evidence = new() { ["secret"] = "of a launch that does not count" } };
        var (made, context) = Report(samples with { Launches = [failed, .. samples.Launches.Skip(1)] });
        var report = made with { Hygiene = new("1 ok, 1 warning", [new(true, "governor: powersave"), new(false, "clock source: tsc")]) };
        var page = HtmlReport.Render(report, new() { Samples = context.Samples });
        page.ShouldContain("<li class=\"undecided\"><bdi>governor: powersave");
        page.ShouldContain("<li class=\"word\"><bdi>clock source: tsc");
        page.ShouldNotContain("of a launch that does not count");
        page.ShouldNotContain("histograms.latency");
        page.ShouldNotContain("fact390");
        page.ShouldContain(" more, in samples.ndjson");
        page.ShouldContain("&quot;a&quot; onclick=&#39;b&#39;");
        var round = report.Rows[0].Measured[0];
        var values = Quantity.Format("msg/s", round.Reference, round.Arm);
        page.ShouldMatch($"""<bdi>{round.Round + 1}</bdi></th>\n<td class="figure"><bdi>{Regex.Escape(values[0])}</bdi></td>\n<td class="figure"><bdi>{Regex.Escape(values[1])}</bdi>""");
        var (latency, cell) = (Reports.Curves.Latency.Of(context.Cells[0], context.Launches.Where(launch => launch.Cell == "c001"))[0], context.Cells[0].Id);
        cell.ShouldBe("c001");
        foreach (var line in latency.Lines)
        {
            var shares = Quantity.Format("s", line.Percentile(0.5), line.Percentile(0.9), line.Percentile(0.99), line.Percentile(0.999));
            page.ShouldContain(string.Concat(shares.Select(share => $"<td class=\"figure\"><bdi>{share}</bdi></td>\n")));
        }
    }

    [Theory]
    [InlineData(7, false)]
    [InlineData(8, true)]
    public void a_table_that_is_not_seen_at_once_can_be_filtered(int rows, bool expected) =>
        Page(SamplePairs.Many(rows)).Contains("<form class=\"tools\" data-of=\"cells\" hidden").ShouldBe(expected);

    [Fact]
    public void figures_that_are_not_there_sort_last_and_are_a_dash()
    {
        var (comparison, context) = SampleReports.EveryVerdict();
        var strange = comparison with { Cells = [.. comparison.Cells.Select(row => row with { Change = null, Low = null, High = null, ArmValue = double.NaN, ReferenceValue = double.PositiveInfinity })] };
        var page = Page(strange, context);
        page.ShouldContain("<td class=\"figure\" data-v><bdi>-</bdi></td>");
        page.ShouldNotContain("data-v=\"NaN\"");
        page.ShouldNotContain("data-v=\"∞\"");
    }

    [Fact]
    public void five_thousand_rows_have_a_row_each_and_pictures_of_the_first()
    {
        Nightly.Only("10 seconds");
        var (comparison, context) = SampleReports.TwoHundred();
        var cells = Enumerable.Range(0, 25).SelectMany(copy => comparison.Cells.Select(row => row with { Cell = FormattableString.Invariant($"{row.Cell}-{copy}") })).ToList();
        var page = Page(comparison with { Cells = cells }, context);
        Regex.Count(page, "<tr data-word=").ShouldBe(5000);

        var many = Page(SamplePairs.Many(HtmlReport.MostPictures + 5));
        Regex.Count(many, "<article ").ShouldBe(HtmlReport.MostPictures);
        many.ShouldContain("The first 120 of 125 rows, the most urgent first.");
    }

    [Fact]
    public void what_explain_found_is_shown_and_its_flame_graph_only_as_an_image()
    {
        var (report, context) = Report(SamplePairs.FourCells());
        var key = new RowKey(report.Rows[0].Figures.Cell, report.Rows[0].Figures.Arm);
        var page = HtmlReport.Render(report, new()
        {
            Samples = context.Samples,
            Explanation = new Explanation
            {
                Rows = [new() { Cell = key.Cell, Label = "x", Arm = key.Arm, Reference = "base", Work = "doc", Rounds = 12, Figures = [], Methods = [], Doubts = ["</pre><script>"] }],
            },
            FlameGraphs = new Dictionary<RowKey, string> { [key] = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>" },
        });
        page.ShouldContain("Why it moved");
        Regex.Count(page, "<script").ShouldBe(1);
        page.ShouldContain("src=\"data:image/svg+xml;base64,");
    }

    [Fact]
    public void a_histogram_that_could_not_be_true_is_left_out()
    {
        var samples = SamplePairs.FourCells();
        foreach (var launch in samples.Launches)
        {
            launch.Evidence["histograms"] = System.Text.Json.Nodes.JsonNode.Parse("""{"a":{"unit":"s","counts":[]},"b":{"unit":"s","counts":[[1,-5]]},"c":{"unit":7,"counts":[[1,1]]},"d":[],"e":{"unit":"s","counts":[["x",1]]}}""");
        }

        Page(samples).ShouldNotContain("Histogram:");
    }

    private static IEnumerable<Match> Matches(string text, string pattern) => Regex.Matches(text, pattern, RegexOptions.None, TimeSpan.FromSeconds(10));

    private static string Page(SampleSet samples)
    {
        var (report, context) = Report(samples);
        return HtmlReport.Render(report, new() { Samples = context.Samples });
    }

    private static string Page(Comparison comparison, ReportContext context) =>
        HtmlReport.Render(Reports.Report.From(comparison, context), new() { Samples = context.Samples });

    private static (Report Report, ReportContext Context) Report(SampleSet samples)
    {
        var (comparison, context) = SampleSweeps.Report(samples);
        return (Reports.Report.From(comparison, context), context);
    }
}
