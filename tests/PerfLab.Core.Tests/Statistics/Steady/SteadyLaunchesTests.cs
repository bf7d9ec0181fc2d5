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
    public void a_metric_of_that_name_which_the_workload_declares_stays_its_own()
    {
        Metric[] metrics = [SampleSetBuilder.Time, new(SteadyLaunches.Metric, "s", Better.Lower)];
        var builder = new SampleSetBuilder().Cell("c001", metrics);
        Fill(builder, 4, 8);
        builder.Compare().Cells.Count(row => row.Metric == SteadyLaunches.Metric).ShouldBe(1);
    }

    /// <summary>Twenty confirm rounds whose launches of 30 windows reach their level late, by so many windows.</summary>
    private static SampleSetBuilder Session(int baseLate, int headLate)
    {
        var builder = new SampleSetBuilder().Cell("c001");
        Fill(builder, baseLate, headLate);
        return builder;
    }

    private static void Fill(SampleSetBuilder builder, int baseLate, int headLate)
    {
        for (var round = 0; round < 20; round++)
        {
            foreach (var (arm, late, value) in new[] { ("base", baseLate, 100), ("head", headLate, 100 * Math.Exp(SampleSetBuilder.Quiet[round])) })
            {
                builder.Launch(Stage.Confirm, round, arm, 0, launch => launch with
                {
                    Metrics = new Dictionary<string, double> { ["time"] = value },
                    Evidence = new JsonObject { ["windows"] = Windows(late) },
                });
            }
        }
    }

    private static JsonObject Windows(int late) => new()
    {
        ["warmUpSeconds"] = 0.6,
        ["ends"] = new JsonArray([.. Enumerable.Range(1, 30).Select(window => (JsonNode)(window / 10.0))]),
        ["rates"] = new JsonArray([.. Enumerable.Range(0, 30).Select(window => (JsonNode)(window < late ? 50.0 : 100))]),
    };
}
