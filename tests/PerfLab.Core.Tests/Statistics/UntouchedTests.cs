using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>A pair that the change can't touch is no row of the family, and says why.</summary>
public sealed class UntouchedTests
{
    [Fact]
    public void a_pair_that_was_said_to_be_untouched_and_has_no_launches_is_untouched()
    {
        var comparison = Cell("c001").Touch(untouched: true, "none of the 3 changed methods runs in it").Compare();
        var row = comparison.Cells.Single();
        (row.Verdict, row.Rounds, row.Touched).ShouldBe((Verdict.Untouched, 0, "none of the 3 changed methods runs in it"));
        comparison.Summary.Untouched.ShouldBe(1);
        comparison.Selection!.NotRun.ShouldBe(["Lexer.Peek", "Parser.Next", "Writer.Flush"]);
    }

    [Fact]
    public void a_pair_that_was_measured_all_the_same_has_the_verdict_of_its_launches() =>
        Cell("c001").Touch(untouched: true, "none runs").Rounds(Stage.Screen, SampleSetBuilder.Shifted(0, 8)).Compare()
            .Cells.Single().Verdict.ShouldBe(Verdict.Undecided);

    [Fact]
    public void a_pair_that_was_not_asked_about_is_not_untouched() => Cell("c001").Compare().Cells.Single().Verdict.ShouldBe(Verdict.Failed);

    [Theory]
    [InlineData("source", Verdict.Untouched)]
    [InlineData("pgo", Verdict.Failed)] // a journal can say what it likes: the runtime differs
    public void only_builds_may_differ(string dimension, Verdict verdict) =>
        new SampleSetBuilder().Cell("c001").With(cell => cell with { Arms = [.. cell.Arms.Select(arm => arm with { Dimensions = One(dimension, arm.Id) })] })
            .Touch(untouched: true, "none runs").Compare().Cells.Single().Verdict.ShouldBe(verdict);

    [Fact]
    public void a_touched_pair_says_what_it_runs_and_what_no_pair_runs_is_left_over()
    {
        var comparison = Cell("c001").Touch(untouched: false, "runs 2 of the 3 changed methods", "Lexer.Peek", "Parser.Next")
            .Rounds(Stage.Screen, SampleSetBuilder.Shifted(0, 8)).Compare();
        comparison.Cells.Single().Touched.ShouldBe("runs 2 of the 3 changed methods: Lexer.Peek, Parser.Next");
        comparison.Selection!.NotRun.ShouldBe(["Writer.Flush"]);
    }

    [Fact]
    public void what_is_not_measured_makes_no_other_row_harder_to_find()
    {
        var alone = Changed(new SampleSetBuilder()).Compare().Cells[0];
        var beside = Changed(Cell("c000").Touch(untouched: true, "none runs")).Compare().Cells.Single(row => row.Cell == "c001");
        (beside.AdjustedP, beside.SmallestDetectable).ShouldBe((alone.AdjustedP, alone.SmallestDetectable));

        static SampleSetBuilder Changed(SampleSetBuilder builder) => builder.Cell("c001")
            .Rounds(Stage.Screen, SampleSetBuilder.Shifted(0.05, 8)).Rounds(Stage.Confirm, SampleSetBuilder.Shifted(0.05, 20));
    }

    private static SampleSetBuilder Cell(string id) => new SampleSetBuilder().Cell(id);

    private static Dictionary<string, string> One(string name, string value) => new() { [name] = value };
}
