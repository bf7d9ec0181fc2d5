using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Reports;
using PerfLab.Reports.Html;

namespace PerfLab.Core.Tests.Reporting;

/// <summary>A report says how its rows were paired: where it says on what they were measured, and among the facts.</summary>
public sealed class PairingFactTests
{
    [Theory]
    [InlineData(30, 0.05, false, "in turns, 30 slices of 50 ms a launch")]
    [InlineData(12, 0.0075, false, "in turns, 12 slices of 7.5 ms a launch")]
    [InlineData(10, 0.05, true, "in turns, cut from outside into slices of 50 ms")]
    public void arms_that_took_turns_say_so_with_their_slices(int slices, double seconds, bool byClock, string said)
    {
        var turns = new TurnPlan(slices, seconds) { ByClock = byClock };
        var report = Of(turns, turns);

        report.Facts.ShouldContain(("pairing", said));
        var markdown = MarkdownReport.Render(report);
        markdown.ShouldContain($"{said}, up to 20 rounds.");
        markdown.ShouldNotContain("launches in pairs");
        markdown.ShouldContain($"\n- pairing: `{said}`\n");
        HtmlReport.Render(report, new()).ShouldContain($"<dt><bdi>pairing</bdi></dt>\n<dd><bdi>{said}</bdi></dd>");
    }

    [Fact]
    public void where_only_some_cells_took_turns_their_number_is_said() =>
        Of(null, new TurnPlan(30, 0.05)).Facts.ShouldContain(("pairing", "in turns, 30 slices of 50 ms a launch, in 1 of 2 cells"));

    [Fact]
    public void one_launch_after_the_other_is_said_to_be_pairs_of_launches()
    {
        var report = Of(null, null);

        report.Facts.ShouldAllBe(fact => fact.Name != "pairing");
        MarkdownReport.Render(report).ShouldContain("launches in pairs, up to 20 rounds.");
        HtmlReport.Render(report, new()).ShouldNotContain("<bdi>pairing</bdi>");
    }

    [Fact]
    public void why_some_took_no_turns_is_said_once_and_only_among_the_facts()
    {
        const string Why = "the engine refuses to pause a container";
        var cells = new[] { "c001", "c002" }.Select(id => SampleReports.Cell(id, "json", "net8.0.33", "on") with { NoTurns = Why }).ToList();

        var report = Of(cells);

        report.Facts.ShouldContain(("not in turns", Why));
        var markdown = MarkdownReport.Render(report);
        markdown.ShouldContain($"\n- not in turns: `{Why}`\n");
        markdown.ShouldContain("launches in pairs, up to 20 rounds.");
    }

    private static Report Of(params TurnPlan?[] turns)
    {
        var cells = turns.Select((one, at) => SampleReports.Cell($"c00{at + 1}", "json", at == 0 ? "net8.0.33" : "net10.0.14", "on") with
        {
            Turns = one,
        }).ToList();
        return Of(cells);
    }

    private static Report Of(IReadOnlyList<Cell> cells)
    {
        var rows = cells.Select(cell => SampleReports.Figures(cell.Id) with { Verdict = Verdict.Unchanged, Change = 0 });
        return Report.From(SampleReports.Of([.. rows], new VerdictCounts(0, 0, cells.Count, 0, 0, 0, 0, 0)), new() { Cells = cells });
    }
}
