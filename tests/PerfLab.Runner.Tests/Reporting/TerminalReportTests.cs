using System.Globalization;
using PerfLab.Programs;
using PerfLab.Reports;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Tests.Reporting;

public sealed class TerminalReportTests
{
    private const string Folder = "tests/PerfLab.Runner.Tests/Reporting/golden/";
    private static readonly TerminalStyle Pipe = new(TerminalStyle.PipeWidth, Colours: false, Ascii: true);

    public static TheoryData<string> Cultures => ["en-US", "de-DE", "ar-SA"];

    [Theory]
    [MemberData(nameof(Cultures))]
    public void the_same_text_comes_out_under_every_culture(string culture)
    {
        var before = CultureInfo.CurrentCulture;
        CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(culture);
        try
        {
            Golden.ShouldMatch(Every(Pipe), Folder + "every-verdict.pipe.txt");
            foreach (var width in new[] { 72, 80, 100, 200 })
            {
                Golden.ShouldMatch(Every(Wide(width)), Folder + FormattableString.Invariant($"every-verdict.{width}.txt"));
            }

            Golden.ShouldMatch(Every(Wide(80) with { ShowsDetails = true }), Folder + "every-verdict.details.txt");
            Golden.ShouldMatch(Of(SampleReports.OneArm(), Pipe), Folder + "one-arm.pipe.txt");
            Golden.ShouldMatch(Of(SampleSweeps.Report(SampleSweeps.Clients()), Pipe), Folder + "sweep-clients.pipe.txt");
            Golden.ShouldMatch(Of(SampleReports.OneArm(), Wide(72)), Folder + "one-arm.72.txt");
            Golden.ShouldMatch(Of(SampleSweeps.Report(SampleSweeps.Clients()), Wide(80)), Folder + "sweep-clients.80.txt");
            Golden.ShouldMatch(Of(SampleSweeps.Report(SampleSweeps.LongNames()), Wide(72)), Folder + "several-arms.72.txt");
            Golden.ShouldMatch(Of((SampleReports.NoCells(), ReportContext.None), Pipe), Folder + "no-cells.pipe.txt");
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Fact]
    public void six_rows_fit_one_screen_of_80_columns_and_details_tell_the_rest()
    {
        var (comparison, context) = SampleReports.EveryVerdict();
        var six = comparison with { Cells = [.. comparison.Cells.Where(row => row.Cell is "c001" or "c002" or "c003" or "c004" or "c008" or "c009")] };
        int Lines(TerminalStyle style) => Of((six, context with { Launches = [] }), style).TrimEnd().Split('\n').Sum(line => 1 + (Math.Max(0, line.Length - 1) / 80));
        var details = Wide(80) with { ShowsDetails = true };

        Lines(Wide(80)).ShouldBeLessThanOrEqualTo(40);
        Lines(details).ShouldBeGreaterThan(60);
        Every(Wide(80)).ShouldContain("plan and policy: --details, or report.md");
        Every(Wide(80)).ShouldNotContain("Doubts about single rows");
        foreach (var told in new[] { "Doubts about single rows", "policy: 8+20", "adj. p 0.0004", "plan: sha256:" })
        {
            Every(details).ShouldContain(told);
        }
    }

    [Fact]
    public void what_all_names_end_with_is_said_once()
    {
        var (comparison, context) = SampleReports.EveryVerdict();
        var two = comparison with { Cells = [.. comparison.Cells.Where(row => row.Cell is "c003" or "c005" or "c008")] };
        var text = Of((two, context), Wide(200));
        text.ShouldContain("every row: net10.0.14 / pgo on\n");
        text.Split('\n').Count(line => line.Contains("pgo on", StringComparison.Ordinal) && !line.Contains("--set", StringComparison.Ordinal)).ShouldBe(1);
        Of((comparison with { Cells = [comparison.Cells[0]] }, context), Wide(200)).ShouldNotContain("every row");
    }

    [Fact]
    public void a_pipe_gets_ascii_without_colours()
    {
        var text = Every(Pipe);

        text.ShouldAllBe(character => character == '\n' || (character >= ' ' && character <= '~'));
    }

    [Fact]
    public void colours_only_come_when_asked_for()
    {
        Every(new TerminalStyle(120, Colours: false, Ascii: false)).ShouldNotContain("\e");
        Every(new TerminalStyle(120, Colours: true, Ascii: false)).ShouldContain("\e[91mregressed");
    }

    [Theory]
    [InlineData(72)]
    [InlineData(80)]
    [InlineData(120)]
    public void tables_keep_to_the_width(int width) =>
        Every(new TerminalStyle(width, Colours: false, Ascii: true)).Split('\n')
            .Where(line => line.StartsWith('|') || line.StartsWith('+')).ShouldAllBe(line => line.Length <= width);

    [Theory]
    [InlineData(72)]
    [InlineData(80)]
    [InlineData(120)]
    public void curves_keep_to_the_width_and_to_ascii(int width)
    {
        var text = Of(SampleSweeps.Report(SampleSweeps.Batches()), new TerminalStyle(width, Colours: false, Ascii: true));
        text.Split('\n').Where(line => line.StartsWith('|') || line.StartsWith('+')).ShouldAllBe(line => line.Length <= width);
        text.ShouldAllBe(character => character == '\n' || (character >= ' ' && character <= '~'));
        text.ShouldContain("channel-actors: throughput by batch");
    }

    [Fact]
    public void no_line_of_a_launch_starts_a_line_of_ours() =>
        Every(Pipe).Split('\n').ShouldAllBe(line => !line.TrimStart().StartsWith("::", StringComparison.Ordinal) && !line.Contains("##[", StringComparison.Ordinal));

    [Fact]
    public void names_are_no_markup()
    {
        var (comparison, context) = SampleReports.EveryVerdict();
        var cells = context.Cells.Select(cell => cell with { Workload = "[red]a[/] [link=https://example.org]b[/]" }).ToList();

        Of((comparison, context with { Cells = cells }), new TerminalStyle(200, Colours: false, Ascii: true)).ShouldContain("[red]a[/]");
    }

    [Theory]
    [InlineData(72)]
    [InlineData(80)]
    [InlineData(100)]
    public void no_column_is_squeezed_until_its_words_fall_apart(int width)
    {
        var (comparison, context) = SampleSweeps.Report(SampleSweeps.Batches());
        var others = comparison.Cells.Select(row => row with { Metric = "time-to-steady", Primary = false, Verdict = null });
        var text = Of((comparison with { Cells = [.. comparison.Cells, .. others] }, context), Wide(width) with { ShowsDetails = true });
        var lines = text.Split('\n').Where(line => line.StartsWith('│')).ToList();
        foreach (var word in new[] { "channel-actors", "net10.0.14", ", 200", "time-to-steady" })
        {
            lines.ShouldContain(line => line.Contains(word), word);
        }

        lines.SelectMany(line => line.Split('│')[1..^1]).ShouldAllBe(cell => cell.Length >= 10);
        lines.ShouldAllBe(line => line.Length <= width);
    }

    private static TerminalStyle Wide(int width) => new(width, Colours: false, Ascii: false);

    private static string Every(TerminalStyle style) => Of(SampleReports.EveryVerdict(), style);

    private static string Of((Core.Statistics.Rows.Comparison Comparison, ReportContext Context) sample, TerminalStyle style)
    {
        using var output = new StringWriter(CultureInfo.InvariantCulture);
        TerminalReport.Write(Report.From(sample.Comparison, sample.Context), output, style);
        return output.ToString();
    }
}
