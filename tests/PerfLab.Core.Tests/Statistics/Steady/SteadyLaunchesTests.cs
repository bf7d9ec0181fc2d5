using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Tests.Statistics.Steady;

public sealed class SteadyLaunchesTests
{
    [Fact]
    public void time_to_steady_is_a_metric_without_a_verdict_that_is_compared_in_pairs()
    {
        var row = Session(baseLate: 4, headLate: 8).Compare().Cells.Single(row => row.Metric == SteadyLaunches.Metric);
        row.Unit.ShouldBe("s");
        row.Primary.ShouldBeFalse();
        row.Verdict.ShouldBeNull();
        row.ReferenceValue!.Value.ShouldBe(0.5, 1e-9);
        row.ArmValue!.Value.ShouldBe(0.9, 1e-9);
        row.Change!.Value.ShouldBe(0.8, 1e-9);
        row.Low.ShouldNotBeNull();
        row.Warnings.ShouldBeEmpty();
    }

    [Fact]
    public void a_session_without_windows_has_no_such_metric_and_no_word_about_it()
    {
        var comparison = new SampleSetBuilder().Cell("c001").Rounds(Stage.Confirm, SampleSetBuilder.Quiet).Compare();
        comparison.Cells.ShouldHaveSingleItem().Warnings.ShouldBeEmpty();
    }

    [Fact]
    public void one_launch_without_windows_leaves_the_metric_out_of_its_cell() =>
        Session(4, 8).Measured(Stage.Confirm, 20, "base", 100).Measured(Stage.Confirm, 20, "head", 100)
            .Compare().Cells.ShouldHaveSingleItem().Primary.ShouldBeTrue();

    [Fact]
    public void an_arm_that_does_not_come_to_rest_counts_as_long_as_it_was_watched()
    {
        var time = Session(baseLate: 0, headLate: 20).Compare().Cells.Single(row => row.Metric == SteadyLaunches.Metric);
        time.ArmValue.ShouldBe(3.0);
        time.Warnings.ShouldHaveSingleItem().ShouldBe("arm head: 20 of 20 launches never got steady and count as the 3.0 s that they were watched");
    }

    [Fact]
    public void in_turns_a_launch_is_watched_until_its_slices_begin_which_have_a_level_of_their_own()
    {
        var time = Session(baseLate: 2, headLate: 4, slices: 0.8).Compare().Cells.Single(row => row.Metric == SteadyLaunches.Metric);
        (time.ReferenceValue!.Value, time.ArmValue!.Value).ShouldBe((0.3, 0.5));
        time.Warnings.ShouldBeEmpty();
    }

    [Fact]
    public void in_turns_a_program_that_is_measured_before_it_is_at_rest_never_got_steady()
    {
        var time = Session(baseLate: 2, headLate: 13, slices: 0.8).Compare().Cells.Single(row => row.Metric == SteadyLaunches.Metric);
        time.Warnings.ShouldHaveSingleItem()
            .ShouldBe("arm head: 20 of 20 launches never got steady and count as the 1.6 s that they were watched");
    }

    [Fact]
    public void a_metric_of_that_name_which_the_workload_declares_stays_its_own()
    {
        Metric[] metrics = [SampleSetBuilder.Time, new(SteadyLaunches.Metric, "s", Better.Lower)];
        var builder = new SampleSetBuilder().Cell("c001", metrics);
        Fill(builder, 4, 8);
        builder.Compare().Cells.Count(row => row.Metric == SteadyLaunches.Metric).ShouldBe(1);
    }

    /// <summary>Twenty confirm rounds whose launches of 30 windows reach their level late, by so many windows.</summary>
    /// <param name="slices">The level of slices, from the 17th window on, over that of the warm-up; 0 where the arms take no turns.</param>
    private static SampleSetBuilder Session(int baseLate, int headLate, double slices = 0)
    {
        var builder = new SampleSetBuilder().Cell("c001");
        Fill(builder, baseLate, headLate, slices);
        return builder;
    }

    private static void Fill(SampleSetBuilder builder, int baseLate, int headLate, double slices = 0)
    {
        TurnSlices? turns = slices > 0 ? new() { Work = [100, 100, 100, 100, 100], Seconds = [1, 1, 1, 1, 1], FrozenSeconds = 0 } : null;
        for (var round = 0; round < 20; round++)
        {
            foreach (var (arm, late, value) in new[] { ("base", baseLate, 100), ("head", headLate, 100 * Math.Exp(SampleSetBuilder.Quiet[round])) })
            {
                builder.Launch(Stage.Confirm, round, arm, 0, launch => launch with
                {
                    Metrics = new Dictionary<string, double> { ["time"] = value },
                    Evidence = new JsonObject { ["windows"] = Windows(late, slices) },
                    Turns = turns,
                });
            }
        }
    }

    private static JsonObject Windows(int late, double slices) => new()
    {
        ["warmUpSeconds"] = slices > 0 ? 1.6 : 0.6,
        ["ends"] = new JsonArray([.. Enumerable.Range(1, 30).Select(window => (JsonNode)(window / 10.0))]),
        ["rates"] = new JsonArray([.. Enumerable.Range(0, 30)
            .Select(window => (JsonNode)((window < late ? 50.0 : 100) * (slices > 0 && window >= 16 ? slices : 1)))]),
    };
}
