using System.Globalization;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>Exact metrics and sessions of one arm.</summary>
public sealed class ComparerOtherRowsTests
{
    private static readonly Metric Allocated = new("allocated", "B", Better.Lower, Kind: MetricKind.Exact);

    private static ComparedMetric Exact(Metric metric, params (double Base, double Head)[] rounds)
    {
        var builder = new SampleSetBuilder().Cell("c001", [metric]);
        for (var round = 0; round < rounds.Length; round++)
        {
            builder.Measured(Stage.Screen, round, "base", rounds[round].Base).Measured(Stage.Screen, round, "head", rounds[round].Head);
        }

        return builder.Compare().Cells.ShouldHaveSingleItem();
    }

    [Fact]
    public void exact_metrics_are_compared_for_equality_and_not_tested()
    {
        var row = Exact(Allocated, (100, 100), (100, 100));

        (row.Equal, row.Change, row.Verdict, row.PValue, row.Noise).ShouldBe((true, 0.0, null, null, null));
        row.Warnings.ShouldBeEmpty();
    }

    [Fact]
    public void what_a_project_says_and_no_launch_does_is_said_once_for_all_its_rows()
    {
        const string Sentence = "the project says System.GC.Server=true, and its launches do not";
        var builder = new SampleSetBuilder();
        foreach (var id in new[] { "c001", "c002" })
        {
            builder.Cell(id, [Allocated]).With(cell => cell with { Arms = [.. cell.Arms.Select(arm => arm with { Overruled = [Sentence] })] })
                .Measured(Stage.Screen, 0, "base", 1).Measured(Stage.Screen, 0, "head", 1);
        }

        builder.Compare().Warnings.ShouldHaveSingleItem().ShouldBe($"some-workload: {Sentence}");
    }

    [Fact]
    public void a_variable_that_nothing_reports_is_said_to_be_unproven_and_one_of_the_runtime_is_left_to_its_evidence()
    {
        var builder = new SampleSetBuilder();
        foreach (var id in new[] { "c001", "c002" })
        {
            builder.Cell(id, [Allocated]).With(cell => cell with
            {
                Dimensions = new Dictionary<string, string> { ["env.MY"] = "1", ["env.DOTNET_GCHeapCount"] = "4" },
            }).Measured(Stage.Screen, 0, "base", 1).Measured(Stage.Screen, 0, "head", 1);
        }

        builder.Compare().Warnings.ShouldHaveSingleItem()
            .ShouldBe("env.MY is not proven: launches had the variable, and nothing tells whether the program read it");
    }

    [Fact]
    public void a_different_exact_value_shows_its_change_with_plus_for_worse()
    {
        var more = Exact(Allocated, (100, 125), (100, 125));
        more.Equal.ShouldBe(false);
        more.Change!.Value.ShouldBe(0.25, 1e-12);
        Exact(Allocated with { Better = Better.Higher }, (100, 125)).Change!.Value.ShouldBe(-0.2, 1e-12);
    }

    [Fact]
    public void zero_is_a_fine_exact_value()
    {
        Exact(Allocated, (0, 0)).Equal.ShouldBe(true);
        (Exact(Allocated, (0, 5)).Equal, Exact(Allocated, (0, 5)).Change).ShouldBe((false, null));
    }

    [Theory]
    [InlineData(0, 0, 0.0)]
    [InlineData(0, 5, null)]
    [InlineData(5, 0, null)]
    public void zero_beside_the_primary_metric_is_shown_without_advice(double reference, double arm, double? change)
    {
        var garbage = new Metric("garbage", "B", Better.Lower);
        var builder = new SampleSetBuilder().Cell("c001", [SampleSetBuilder.Time, garbage]);
        for (var round = 0; round < 8; round++)
        {
            builder.Launch(Stage.Screen, round, "base", 0, With(reference)).Launch(Stage.Screen, round, "head", 0, With(arm));
        }

        var row = builder.Compare().Cells.Single(cell => cell.Metric == "garbage");
        (row.ReferenceValue, row.ArmValue, row.Change).ShouldBe((reference, arm, change));
        row.Warnings.ShouldBeEmpty();

        static Func<Launch, Launch> With(double garbage) => launch => launch with
        {
            Outcome = Outcome.Measured,
            Metrics = new Dictionary<string, double> { ["time"] = 1, ["garbage"] = garbage },
        };
    }

    [Theory]
    [InlineData("every launch the same", "100 100 100", "100 100 100", true, null)]
    [InlineData("every launch one byte more", "100 100 100", "101 101 101", false, null)]
    [InlineData("one launch of one build", "100 100 100", "100 101 100", true, 1.0)]
    [InlineData("one byte more, and they vary by one", "100 101 100", "102 102 102", false, 1.0)]
    [InlineData("one byte more at the medians, and they vary by one", "100 100 101", "102 101 102", true, 1.0)]
    [InlineData("apart by more than one build varies", "100 100 114", "120 115 120", false, 14.0)]
    [InlineData("apart by as much as one build varies", "100 100 120", "121 120 120", true, 20.0)]
    [InlineData("never the same, and apart by less than one build varies", "100 105 110", "111 112 111", true, 10.0)]
    [InlineData("two modes in both builds", "100 200 100", "200 200 100", true, 100.0)]
    [InlineData("fewer", "120 121 120", "100 100 100", false, 1.0)]
    public void bytes_differ_only_beyond_what_launches_of_one_build_do(string why, string reference, string arm, bool equal, double? varies)
    {
        static double[] Numbers(string text) => [.. text.Split(' ').Select(number => double.Parse(number, CultureInfo.InvariantCulture))];
        var row = Exact(Allocated, [.. Numbers(reference).Zip(Numbers(arm))]);

        (row.Equal, row.Varies).ShouldBe((equal, varies), why);
        row.Warnings.ShouldBeEmpty();
    }

    [Fact]
    public void bytes_count_as_moved_only_with_launches_enough_to_tell_that_they_do_not_vary()
    {
        static VerdictCounts Counts(int rounds, double arm) => Session(rounds, arm).Summary;
        static Comparison Session(int rounds, double arm)
        {
            var builder = new SampleSetBuilder().Cell("c001", [Allocated]);
            for (var round = 0; round < rounds; round++)
            {
                builder.Measured(Stage.Screen, round, "base", 100).Measured(Stage.Screen, round, "head", arm);
            }

            return builder.Compare();
        }

        (Counts(4, 124).AllocatesMore, Counts(5, 124).AllocatesMore, Counts(5, 124).AllocatesLess).ShouldBe((0, 1, 0));
        (Counts(5, 76).AllocatesMore, Counts(5, 76).AllocatesLess, Counts(5, 100).AllocatesLess).ShouldBe((0, 1, 0));
        Session(4, 124).Cells.Single().Equal.ShouldBe(false, "it is shown all the same");
    }

    [Fact]
    public void an_exact_metric_of_another_name_is_no_allocation()
    {
        var builder = new SampleSetBuilder().Cell("c001", [Allocated with { Name = "size" }]);
        for (var round = 0; round < 8; round++)
        {
            builder.Launch(Stage.Screen, round, "base", 0, Sized(1)).Launch(Stage.Screen, round, "head", 0, Sized(2));
        }

        var comparison = builder.Compare();
        (comparison.Cells.Single().Equal, comparison.Summary.AllocatesMore).ShouldBe((false, 0));

        static Func<Launch, Launch> Sized(double size) => launch => launch with
        {
            Outcome = Outcome.Measured,
            Metrics = new Dictionary<string, double> { ["size"] = size },
        };
    }

    [Fact]
    public void an_exact_primary_metric_is_not_in_the_family()
    {
        var comparison = new SampleSetBuilder()
            .Cell("c001", [Allocated with { Primary = true }]).Rounds(Stage.Confirm, SampleSetBuilder.Shifted(0.05))
            .Cell("c002").Rounds(Stage.Confirm, SampleSetBuilder.Shifted(0.05)).Compare();

        comparison.Cells[0].Verdict.ShouldBeNull();
        comparison.Cells[1].AdjustedP.ShouldBe(comparison.Cells[1].PValue);
    }

    [Fact]
    public void a_session_of_one_arm_has_values_and_noise_and_no_verdict()
    {
        var builder = new SampleSetBuilder().Cell("c001", "head");
        foreach (var (difference, round) in SampleSetBuilder.Shifted(0, 8).Select((difference, round) => (difference, round)))
        {
            builder.Measured(Stage.Screen, round, "head", 100 * Math.Exp(difference));
        }

        var row = builder.Compare().Cells.ShouldHaveSingleItem();
        (row.Arm, row.Reference, row.Verdict, row.Rounds).ShouldBe(("head", null, null, 8));
        row.ArmValue!.Value.ShouldBe(100, 0.5);
        row.Noise!.Value.ShouldBe(Noise.Of(SampleSetBuilder.Shifted(0, 8))!.Value, 1e-9);
    }

    [Fact]
    public void a_session_of_one_arm_that_measured_nothing_has_failed()
    {
        var row = new SampleSetBuilder().Cell("c001", "head").Lost(Stage.Screen, 0, "head").Compare().Cells.ShouldHaveSingleItem();

        row.Verdict.ShouldBe(Verdict.Failed);
        row.Warnings.ShouldBe(["arm head: none of 1 launches gave a value: failed with exit code 139"]);
    }
}
