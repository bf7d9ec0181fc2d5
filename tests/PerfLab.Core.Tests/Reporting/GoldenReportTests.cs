using System.Globalization;
using PerfLab.Reports;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Reporting;

public sealed class GoldenReportTests
{
    private const string Folder = "tests/PerfLab.Core.Tests/Reporting/golden/";

    // German writes 0,5; Saudi Arabia has its own digits, minus sign and calendar.
    public static TheoryData<string> Cultures => ["en-US", "de-DE", "ar-SA"];

    [Theory]
    [MemberData(nameof(Cultures))]
    public void every_kind_of_row_looks_the_same_under_every_culture(string culture)
    {
        var (comparison, context) = SampleReports.EveryVerdict();
        Check(culture, () => MarkdownReport.Render(Report.From(comparison, context)), "every-verdict.md");
        Check(culture, () => Comparison.File.Write(comparison), "every-verdict.json");
    }

    [Theory]
    [MemberData(nameof(Cultures))]
    public void a_comparison_alone_gives_a_report_by_cell_ids(string culture) =>
        Check(culture, () => MarkdownReport.Render(Report.From(SampleReports.EveryVerdict().Comparison)), "comparison-alone.md");

    [Theory]
    [MemberData(nameof(Cultures))]
    public void one_arm_gives_values_and_noise_without_verdicts(string culture)
    {
        var (comparison, context) = SampleReports.OneArm();
        Check(culture, () => MarkdownReport.Render(Report.From(comparison, context)), "one-arm.md");
        Check(culture, () => Comparison.File.Write(comparison), "one-arm.json");
    }

    [Theory]
    [MemberData(nameof(Cultures))]
    public void no_cells_are_said_to_be_none(string culture) =>
        Check(culture, () => MarkdownReport.Render(Report.From(SampleReports.NoCells())), "no-cells.md");

    [Theory]
    [MemberData(nameof(Cultures))]
    public void two_hundred_cells_open_with_what_moved(string culture)
    {
        var (comparison, context) = SampleReports.TwoHundred();
        Check(culture, () => MarkdownReport.Render(Report.From(comparison, context)), "two-hundred.md");
    }

    private static void Check(string culture, Func<string> render, string golden)
    {
        var before = CultureInfo.CurrentCulture;
        CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(culture);
        try
        {
            Golden.ShouldMatch(render(), Folder + golden);
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }
}
