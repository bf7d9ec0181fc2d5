using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>Launches that gave nothing, values that can't be compared, pairs that were never measured.</summary>
public sealed class ComparerFailuresTests
{
    private static SampleSetBuilder Cell(params string[] arms) => new SampleSetBuilder().Cell("c001", arms);

    private static ComparedMetric Only(Comparison comparison) => comparison.Cells.ShouldHaveSingleItem();

    private static SampleSetBuilder Faster() =>
        Cell().Rounds(Stage.Screen, SampleSetBuilder.Shifted(-0.05, 8)).Rounds(Stage.Confirm, SampleSetBuilder.Shifted(-0.05));

    private static SampleSetBuilder WithFailures(SampleSetBuilder builder, int failures, string arm)
    {
        for (var failure = 0; failure < failures; failure++)
        {
            builder.Lost(Stage.Confirm, 20 + failure, arm).Measured(Stage.Confirm, 20 + failure, arm == "head" ? "base" : "head", 100);
        }

        return builder;
    }

    [Fact]
    public void an_arm_that_fails_more_often_than_the_reference_can_not_be_improved()
    {
        var row = Only(WithFailures(Faster(), 6, "head").Compare());

        row.AdjustedP!.Value.ShouldBeLessThan(0.01);
        row.Verdict.ShouldBe(Verdict.Undecided);
        row.Warnings[^1].ShouldStartWith("arm head fails more often than base beyond chance (exact binomial p 0.0");
    }

    [Fact]
    public void it_can_still_be_regressed()
    {
        var slower = Cell().Rounds(Stage.Screen, SampleSetBuilder.Shifted(0.05, 8)).Rounds(Stage.Confirm, SampleSetBuilder.Shifted(0.05));

        Only(WithFailures(slower, 6, "head").Compare()).Verdict.ShouldBe(Verdict.Regressed);
    }

    [Theory]
    [InlineData(3, "head")]
    [InlineData(6, "base")]
    public void few_failures_or_those_of_the_reference_leave_the_verdict_alone(int failures, string arm)
    {
        var row = Only(WithFailures(Faster(), failures, arm).Compare());

        row.Verdict.ShouldBe(Verdict.Improved);
        row.Warnings.ShouldHaveSingleItem()
            .ShouldBe($"arm {arm}: {failures} of {28 + failures} launches gave no value: {failures} failed with exit code 139");
    }

    [Fact]
    public void launches_killed_from_outside_are_shown_and_not_held_against_the_arm()
    {
        var builder = Faster();
        for (var round = 20; round < 28; round++)
        {
            builder.Lost(Stage.Confirm, round, "head", Outcome.KilledFromOutside).Measured(Stage.Confirm, round, "base", 100);
        }

        var row = Only(builder.Compare());
        row.Verdict.ShouldBe(Verdict.Improved);
        row.Warnings.ShouldHaveSingleItem().ShouldContain("8 killed-from-outside");
    }

    [Fact]
    public void failures_are_counted_by_kind_and_void_attempts_do_not_hide_them()
    {
        var row = Only(Cell().Rounds(Stage.Screen, SampleSetBuilder.Shifted(0, 8))
            .Lost(Stage.Screen, 8, "head").Lost(Stage.Screen, 8, "head", Outcome.OutOfMemory, attempt: 1)
            .Lost(Stage.Screen, 8, "head", attempt: 2).Void(Stage.Screen, 8, attempt: 2).Compare());

        row.Warnings.ShouldBe(["arm head: 3 of 11 launches gave no value: 2 failed with exit code 139; 1 out-of-memory"]);
    }

    [Fact]
    public void when_all_launches_were_refused_for_one_reason_the_row_says_it()
    {
        var builder = Cell();
        for (var round = 0; round < 8; round++)
        {
            builder.Measured(Stage.Screen, round, "base", 100)
                .Lost(Stage.Screen, round, "head", Outcome.Refused, reason: "evidence: TieredPGO is off, the plan says on");
        }

        var row = Only(builder.Compare());
        row.Verdict.ShouldBe(Verdict.Failed);
        row.Warnings[1].ShouldBe("arm head: none of 8 launches gave a value: refused: evidence: TieredPGO is off, the plan says on");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-3)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    public void a_value_without_a_logarithm_fails_its_row_and_names_the_launch(double value)
    {
        var row = Only(Cell().Rounds(Stage.Screen, SampleSetBuilder.Shifted(0, 8))
            .Measured(Stage.Screen, 8, "base", 100).Measured(Stage.Screen, 8, "head", value).Compare());

        row.Verdict.ShouldBe(Verdict.Failed);
        (row.Change, row.Noise, row.PValue).ShouldBe((null, null, null));
        row.Warnings[^1].ShouldContain("arm head, screen round 8");
    }

    [Fact]
    public void such_a_value_of_a_kept_pair_keeps_its_place_in_the_family()
    {
        var comparison = Cell().Rounds(Stage.Confirm, SampleSetBuilder.Shifted(0.05))
            .Cell("c002").Rounds(Stage.Confirm, SampleSetBuilder.Shifted(0.05))
            .Measured(Stage.Confirm, 20, "base", 0).Measured(Stage.Confirm, 20, "head", 1)
            .Compare();

        comparison.Cells[0].AdjustedP.ShouldBe(2 * comparison.Cells[0].PValue!.Value);
        (comparison.Cells[1].Verdict, comparison.Cells[1].AdjustedP).ShouldBe((Verdict.Failed, 1.0));
    }

    [Fact]
    public void a_missing_value_of_a_metric_that_is_not_primary_costs_only_that_row()
    {
        var rows = new SampleSetBuilder().Cell("c001", [SampleSetBuilder.Time, new("memory", "B", Better.Lower)])
            .Rounds(Stage.Screen, SampleSetBuilder.Shifted(0, 8))
            .Launch(Stage.Screen, 8, "base", 0, Only100).Launch(Stage.Screen, 8, "head", 0, Only100).Compare().Cells;

        rows[0].Verdict.ShouldBe(Verdict.Undecided);
        rows[1].Change.ShouldBeNull();
        rows[1].Warnings.ShouldHaveSingleItem().ShouldContain("memory is missing (arm base, screen round 8)");

        static Launch Only100(Launch launch) =>
            launch with { Metrics = new Dictionary<string, double>(StringComparer.Ordinal) { ["time"] = 100 } };
    }

    [Fact]
    public void ratios_beyond_all_bounds_do_not_crash()
    {
        var builder = Cell();
        for (var round = 0; round < 8; round++)
        {
            builder.Measured(Stage.Screen, round, "base", double.Epsilon).Measured(Stage.Screen, round, "head", double.MaxValue);
        }

        Only(builder.Compare()).Change.ShouldBeNull();
    }

    [Fact]
    public void equal_builds_under_equal_dimensions_that_were_not_launched_are_identical()
    {
        var row = Only(Twins(Cell()).Compare());

        (row.Verdict, row.Rounds, row.Stage).ShouldBe((Verdict.IdenticalBuild, 0, null));
        row.Warnings.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("source", Verdict.IdenticalBuild)]
    [InlineData("framework", Verdict.IdenticalBuild)]
    [InlineData("pgo", Verdict.Failed)]
    [InlineData("documents", Verdict.Failed)]
    public void equal_builds_are_identical_whatever_they_were_built_from(string dimension, Verdict verdict) =>
        Only(Cell().With(cell =>
            cell with { Arms = [.. cell.Arms.Select(arm => arm with { Build = "sha256:same", Dimensions = One(dimension, arm.Id) })] })
                .Compare())
            .Verdict.ShouldBe(verdict);

    [Fact]
    public void a_value_that_only_one_arm_has_keeps_equal_builds_apart()
    {
        Only(Cell().With(Apart).Compare()).Verdict.ShouldBe(Verdict.Failed);

        static Cell Apart(Cell cell) => cell with { Arms = [Same(cell.Arms[0], One("source", "a")), Same(cell.Arms[1], One("pgo", "on"))] };
        static Arm Same(Arm arm, Dictionary<string, string> own) => arm with { Build = "sha256:same", Dimensions = own };
    }

    [Fact]
    public void a_working_tree_is_said_in_its_row_measured_or_not()
    {
        const string Held = "0a1b2c3d4e5f with 1 untracked file (a.cs)";
        Only(Cell().Rounds(Stage.Screen, SampleSetBuilder.Shifted(0, 8)).With(WithTree).Compare()).Warnings[0].ShouldBe(
            $"arm head is a working tree: {Held}; measured again, it is what the tree holds then");
        Only(Twins(Cell()).With(WithTree).Compare()).Warnings.ShouldHaveSingleItem().ShouldContain(Held);

        static Cell WithTree(Cell cell) => cell with { Arms = [cell.Arms[0], cell.Arms[1] with { WorkingTree = Held }] };
    }

    [Fact]
    public void an_a_a_pair_is_compared_like_any_other() =>
        Only(Twins(Cell()).Rounds(Stage.Screen, SampleSetBuilder.Shifted(0, 8)).Compare()).Verdict.ShouldBe(Verdict.Undecided);

    [Fact]
    public void a_cell_that_can_not_be_measured_here_is_unavailable_with_its_reason()
    {
        var comparison = Cell().With(cell => cell with { Unavailable = "package Akka 1.5.30 can't be restored" }).Compare();

        Only(comparison).Verdict.ShouldBe(Verdict.Unavailable);
        Only(comparison).Warnings.ShouldBe(["package Akka 1.5.30 can't be restored"]);
        comparison.Summary.Unavailable.ShouldBe(1);
    }

    [Fact]
    public void an_arm_that_was_never_launched_has_failed_and_says_why()
    {
        Only(Cell().Compare()).Warnings.ShouldHaveSingleItem().ShouldContain("the session ended before arm head had its turn");
        Only(Cell().With(cell => cell with { Arms = [cell.Arms[0], cell.Arms[1] with { Build = null }] }).Compare())
            .Warnings.ShouldHaveSingleItem().ShouldContain("there is no build of head");
    }

    private static Dictionary<string, string> One(string name, string value) => new(StringComparer.Ordinal) { [name] = value };

    private static SampleSetBuilder Twins(SampleSetBuilder builder) =>
        builder.With(cell => cell with { Arms = [cell.Arms[0], cell.Arms[0] with { Id = "head" }] });
}
