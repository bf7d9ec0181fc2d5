using PerfLab.Core.Model;
using PerfLab.Reports;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Reporting;

public sealed class MarkdownReportTests
{
    public static TheoryData<string> Names => ["@org/team", "&#64;user", "&commat;user", "<img src=x>", "[x](javascript:1)", "a|b", "a\nb", "```", "</details>", "fixes #1", "GH-1", "owner/repo#1", "<!-- perf-lab:v1 -->", "`@org/team`"];

    [Theory]
    [MemberData(nameof(Names))]
    public void no_name_or_unit_or_sentence_from_outside_gets_out_of_its_code(string name)
    {
        var row = SampleReports.Figures(name) with
        {
            Arm = name,
            Metric = name,
            Unit = name,
            ReferenceValue = 1,
            ArmValue = 2,
            Verdict = Verdict.Failed,
            Warnings = [name],
        };
        var cell = SampleReports.Cell(name, name, name, name) with { Unavailable = name };
        var context = new ReportContext
        {
            Cells = [cell],
            Launches = [SampleReports.Failed(name, 0, name) with { Arm = name, Reason = name }],
            Machine = name,
            Executor = name,
            ExecutorWarnings = [name],
            Base = name,
            Head = name,
            Reproduce = new Dictionary<RowKey, string> { [new RowKey(name, name)] = name },
        };
        var comparison = SampleReports.Of([row, row with { Arm = "other" }, row with { Primary = false, Verdict = null }, row with { Cell = "c9", Verdict = Verdict.Unavailable }], new VerdictCounts(0, 0, 0, 0, 0, 0, 2, 1)) with
        {
            Session = name,
            Plan = name,
            Warnings = [name],
            Policy = new PolicyUsed(new Policy(), name),
        };

        var text = MarkdownReport.Render(Report.From(comparison, context));

        // Our own headings and folds are the only Markdown that may stand outside.
        var outside = MarkdownText.OutsideCode(text).Replace("<details><summary>", "", StringComparison.Ordinal).Replace("\n\n</details>", "", StringComparison.Ordinal)
            .Replace("<br>", "", StringComparison.Ordinal).Replace("<wbr>", "", StringComparison.Ordinal);
        outside.ShouldNotContain(name);
        outside.ShouldNotMatch(@"[@#&\[]\w|<img|<!--|</details>|javascript|GH-\d|repo#");
        var widths = text.Split('\n').Where(line => line.StartsWith("| ", StringComparison.Ordinal)).Select(line => line.Count(character => character == '|'));
        widths.Distinct().Order().ToArray().ShouldBe([4, 5, 7], "rows, other metrics and figures, each with its own number of columns");
    }

    [Theory]
    [InlineData(4_000)]
    [InlineData(20_000)]
    [InlineData(40_000)]
    [InlineData(60_000)]
    public void a_shortened_report_fits_ends_whole_and_says_what_is_missing(int room)
    {
        var (comparison, context) = SampleReports.TwoHundred();
        var report = Report.From(comparison, context);
        var sections = MarkdownReport.Sections(report);

        var text = MarkdownReport.RenderWithin(report, room);

        text.Length.ShouldBeLessThanOrEqualTo(room);
        text.ShouldStartWith("**3 regressed, worst json-round-trip");
        var missing = sections.Where(section => !text.Contains(section.Body, StringComparison.Ordinal)).ToList();
        missing.ShouldAllBe(section => text.Contains(section.Title, StringComparison.Ordinal));
        missing.Select(section => section.Title).ShouldBe(sections.TakeLast(missing.Count).Select(section => section.Title));
        text.Contains("Left out", StringComparison.Ordinal).ShouldBe(missing.Count > 0);
        (text.Split("<details>").Length - 1).ShouldBe(text.Split("</details>").Length - 1);
    }

    [Fact]
    public void a_report_that_fits_is_left_whole()
    {
        var (comparison, context) = SampleReports.EveryVerdict();
        var report = Report.From(comparison, context);

        MarkdownReport.RenderWithin(report).ShouldBe(MarkdownReport.Render(report));
    }

    [Fact]
    public void the_worst_names_in_two_hundred_regressed_rows_still_leave_the_open_table()
    {
        var rows = Enumerable.Range(0, 200).Select(_ => SampleReports.Figures(new string('x', 5000)) with { Verdict = Verdict.Regressed, Change = 0.1, Low = 0.05, High = 0.15 }).ToArray();
        var report = Report.From(SampleReports.Of(rows, new VerdictCounts(200, 0, 0, 0, 0, 0, 0, 0)));

        var text = MarkdownReport.RenderWithin(report);

        text.Length.ShouldBeLessThanOrEqualTo(MarkdownReport.CommentChars);
        text.Split("| 🔴 ").Length.ShouldBeGreaterThan(20);
    }

    [Fact]
    public void few_rounds_that_all_went_one_way_stand_open_and_the_fold_says_what_the_others_did()
    {
        ComparedMetric Quick(string cell, double change, double p) =>
            SampleReports.Figures(cell) with { Verdict = Verdict.Undecided, Change = change, PValue = p, Rounds = 5, SmallestDetectable = null };
        var comparison = SampleReports.Of(
            [Quick("one-way", -0.3, 1 / 16.0), Quick("c1", 0.2, 1), Quick("c2", 0.1, 0.5), SampleReports.Figures("restless") with { Verdict = Verdict.NotSteady }],
            new VerdictCounts(0, 0, 0, 3, 0, 0, 0, 0));

        var parts = MarkdownReport.Render(Report.From(comparison)).Split("<details>");

        parts[0].ShouldContain("one-way");
        parts[0].ShouldContain("restless");
        parts[0].ShouldNotContain("c1");
        parts[^1].ShouldStartWith("<summary>2 more cells: 2 no verdict, both ways in 5 rounds</summary>");
    }
}
