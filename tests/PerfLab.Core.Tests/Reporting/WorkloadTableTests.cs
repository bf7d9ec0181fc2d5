using PerfLab.Reports;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Reporting;

public sealed class WorkloadTableTests
{
    [Fact]
    public void many_cells_are_summed_up_by_workload_the_one_that_moved_most_first()
    {
        var text = Render([.. Of("json", 6, Verdict.Unchanged, 0.001), .. Of("actors", 4, Verdict.Unchanged, 0.002), .. Of("actors", 2, Verdict.Regressed, 209.6), .. Of("actors", 1, Verdict.Improved, -0.75)]);

        text.ShouldContain("""
            | workload | cells | regressed | improved | median change, + is slower | worst | best |
            | --- | --: | --: | --: | --: | --: | --: |
            | `actors` | 7 | 2 | 1 | +0.2 % | 211x slower | 4.00x faster |
            | `json` | 6 | 0 | 0 | +0.1 % | - | - |
            | all | 13 | 2 | 1 | +0.1 % | 211x slower | 4.00x faster |
            """.Replace(" %", "\u00A0%", StringComparison.Ordinal));
        text.IndexOf("<details>", StringComparison.Ordinal).ShouldBeInRange(0, text.IndexOf("#### By workload", StringComparison.Ordinal));
    }

    [Fact]
    public void few_cells_need_no_sum() => Render([.. Of("json", 12, Verdict.Unchanged, 0.001)]).ShouldNotContain("By workload");

    [Fact]
    public void one_workload_needs_no_row_of_all() => Render([.. Of("json", 13, Verdict.Unchanged, 0.001)]).ShouldNotContain("| all |");

    private static IEnumerable<(string Workload, ComparedMetric Row)> Of(string workload, int count, Verdict verdict, double change) =>
        Enumerable.Range(0, count).Select(_ => (workload, SampleReports.Figures("") with { Verdict = verdict, Change = change, Low = change, High = change }));

    private static string Render((string Workload, ComparedMetric Row)[] rows)
    {
        var named = rows.Select((row, index) => (row.Workload, Row: row.Row with { Cell = $"c{index:d3}" })).ToList();
        var context = new ReportContext { Cells = [.. named.Select(row => SampleReports.Cell(row.Row.Cell, row.Workload, "net10.0.14", "on"))] };
        return MarkdownReport.Render(Report.From(SampleReports.Of([.. named.Select(row => row.Row)], new VerdictCounts(0, 0, 0, 0, 0, 0, 0, 0)), context));
    }
}
