using PerfLab.Core.Profiles;
using PerfLab.Reports;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Profiles;

/// <summary>The short form of an explanation, beside the verdict: in comparison.json, in the report, and what hostile names can do there.</summary>
public sealed class ExplanationSummaryTests
{
    private static MethodChange Method(ProfileKind kind, string name, double share) => new(kind, name, 4e-6, 5e-6, 1e-6, 9e-7, 1.1e-6, share, 1e-6, 1, 0.004);

    private static FigureChange Figure(ProfileFigure figure) => new(figure, 10, 12, 2, 1.9, 2.1, 0.004);

    private static readonly ExplainedRow Row = new()
    {
        Cell = "c001",
        Label = "json",
        Arm = "head",
        Reference = "base",
        Work = "doc",
        Rounds = 12,
        Figures = [Figure(ProfileFigure.Exceptions), Figure(ProfileFigure.Collections), Figure(ProfileFigure.Allocated)],
        Methods = [Method(ProfileKind.Processor, "Lib.A()", 0.2), Method(ProfileKind.Processor, "Lib.B()", 0.1), Method(ProfileKind.Processor, "Lib.C()", 0.05),
            Method(ProfileKind.Contention, "Lib.Lock()", 0.9)],
        Doubts = ["round 3, head: the trace is empty", "another"],
    };

    [Fact]
    public void it_has_five_lines_the_first_of_each_kind_first_and_says_how_many_more_there_are()
    {
        var why = ExplanationSummary.Of(Row);

        why.Methods.Select(method => method.Method).ShouldBe(["Lib.Lock()", "Lib.A()", "Lib.B()"]);
        why.Figures.Select(figure => figure.Figure).ShouldBe([ProfileFigure.Exceptions, ProfileFigure.Collections]);
        (why.More, why.Doubt).ShouldBe((2, "round 3, head: the trace is empty"));
    }

    [Fact]
    public void the_report_says_it_in_a_fold_after_the_table_and_a_name_can_not_become_markup()
    {
        const string Hostile = "<img src=x>`|@team\n## owned";
        var (comparison, context) = SampleReports.EveryVerdict();
        var report = Report.From(ExplainedComparison.With(comparison, Of(Row with { Methods = [Method(ProfileKind.Processor, Hostile, 0.2)], Figures = [], Work = Hostile, Doubts = [Hostile] })), context);

        var markdown = MarkdownReport.Render(report);

        markdown.ShouldContain($"<details><summary>Details</summary>\n\n#### {ExplanationRow.Title}\n");
        markdown.ShouldContain("- `<img src=x>'¦@team ## owned`: +1.000 µs (+20.0 % of everything, in 100 % of the rounds), time of its own\n- doubt: `<img src=x>'¦@team ## owned`");
        markdown.Split('\n').ShouldNotContain("## owned");
        markdown.Replace("`<img src=x>'¦@team ## owned`", "").ShouldNotContain("<img");
    }

    [Theory]
    [InlineData(12, "no counter and no method changed beyond chance in 12 traced rounds")]
    [InlineData(3, "nothing can be said: 3 traced rounds are whole, 10 are needed")]
    public void nothing_found_is_said_and_so_is_too_little(int rounds, string said)
    {
        var (comparison, context) = SampleReports.EveryVerdict();

        Report.From(ExplainedComparison.With(comparison, Of(Row with { Rounds = rounds, Methods = [], Figures = [], Doubts = [] })), context).Why
            .ShouldHaveSingleItem().Plain.ShouldBe([said]);
    }

    [Fact]
    public void only_rows_that_were_explained_get_one_and_the_file_is_read_back()
    {
        var (comparison, _) = SampleReports.EveryVerdict();

        var written = Comparison.File.Write(ExplainedComparison.With(comparison, Of(Row)));

        Comparison.File.Read(written).Value!.Cells.Where(row => row.Why is not null).Select(row => (row.Cell, row.Primary)).ShouldBe([("c001", true)]);
        Comparison.File.Write(comparison).ShouldNotContain("\"why\"");
    }

    [Fact]
    public void an_explanation_of_another_plan_adds_nothing()
    {
        var (comparison, _) = SampleReports.EveryVerdict();

        ExplainedComparison.With(comparison, Of(Row) with { Plan = "sha256:" + new string('9', 64) }).ShouldBe(comparison);
        ExplainedComparison.With(comparison, Of(Row) with { Plan = comparison.Plan }).Cells[0].Why.ShouldNotBeNull();
    }

    [Fact]
    public void regressions_are_looked_at_before_improvements_and_large_ones_first()
    {
        var (comparison, _) = SampleReports.EveryVerdict();
        var row = comparison.Cells[0];
        ComparedMetric Moved(string cell, double change) => row with { Cell = cell, Change = change, Verdict = change > 0 ? Verdict.Regressed : Verdict.Improved };

        ExplainedComparison.Moved(comparison with
        {
            Cells = [Moved("a", -0.5), Moved("b", 0.02), Moved("c", 0.3), row with { Cell = "d", Verdict = Verdict.DoesNotHold }, row with { Cell = "e", Primary = false }],
        }).Select(one => one.Cell).ShouldBe(["c", "b", "a"]);
    }

    private static Explanation Of(ExplainedRow row) => new() { Rows = [row] };
}
