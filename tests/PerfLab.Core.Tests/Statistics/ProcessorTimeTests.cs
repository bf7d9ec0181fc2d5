using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

public sealed class ProcessorTimeTests
{
    private static Launch Told(string evidence) =>
        new SampleSetBuilder().Cell("c001").Measured(Stage.Confirm, 0, "base", 1).Build().Launches.Single() with
        {
            Evidence = JsonNode.Parse(evidence)!.AsObject(),
        };

    [Theory]
    [InlineData("""{"whileMeasuring":{"processorSeconds":2,"units":1000}}""", 0.002)]
    [InlineData("""{"whileMeasuring":{"processorSeconds":2,"units":1000},"processorSeconds":4,"outside":{"cpuSeconds":4.2}}""", 0.002)]
    [InlineData("""{"whileMeasuring":{"processorSeconds":2,"units":1000},"processorSeconds":3,"outside":{"cpuSeconds":4.2}}""", null)]
    [InlineData("""{"whileMeasuring":{"processorSeconds":5,"units":1000},"processorSeconds":6,"outside":{"cpuSeconds":4.2}}""", null)]
    [InlineData("""{"whileMeasuring":{"processorSeconds":2.6,"units":1},"benchmarkDotNet":{"version":"0.15.8"}}""", null)]
    [InlineData("""{"whileMeasuring":{"processorSeconds":0,"units":1000}}""", null)]
    [InlineData("""{"whileMeasuring":{"processorSeconds":-1,"units":1000}}""", null)]
    [InlineData("""{"whileMeasuring":{"processorSeconds":1,"units":0}}""", null)]
    [InlineData("""{"whileMeasuring":{"processorSeconds":"1","units":1}}""", null)]
    [InlineData("""{"whileMeasuring":{"units":1}}""", null)]
    [InlineData("""{"whileMeasuring":[1]}""", null)]
    [InlineData("{}", null)]
    public void a_launch_tells_it_or_it_is_not_known(string evidence, double? expected) => ProcessorTime.Of(Told(evidence)).ShouldBe(expected);

    [Fact]
    public void it_is_a_metric_without_a_verdict_beside_the_primary_one()
    {
        var row = Session(noise: 0.001).Compare().Cells.Single(row => row.Metric == ProcessorTime.Metric);
        (row.Primary, row.Verdict, row.Unit, row.Rounds).ShouldBe((false, null, "s", 20));
        row.Change!.Value.ShouldBe(0.05, 0.002);
        row.Low!.Value.ShouldBeGreaterThan(0.04);
    }

    [Fact]
    public void one_launch_that_does_not_tell_leaves_it_out_of_its_cell() =>
        Session(0.001).Measured(Stage.Confirm, 20, "base", 100).Measured(Stage.Confirm, 20, "head", 100)
            .Compare().Cells.ShouldHaveSingleItem().Primary.ShouldBeTrue();

    [Fact]
    public void a_row_that_is_too_noisy_says_that_its_processor_time_is_not()
    {
        var primary = Session(noise: 0.2).Compare().Cells.Single(row => row.Primary);
        primary.Verdict.ShouldBe(Verdict.TooNoisy);
        primary.Warnings.ShouldContain(warning => warning.StartsWith("its processor time per unit of work is steadier: noise ", StringComparison.Ordinal)
            && warning.Contains("change +5.", StringComparison.Ordinal));
        Session(noise: 0.001).Compare().Cells.Single(row => row.Primary).Warnings.ShouldBeEmpty();
    }

    /// <summary>The wall clock is as noisy as asked; the processor's has a thousandth, and head takes 5 % more of it.</summary>
    private static SampleSetBuilder Session(double noise)
    {
        var session = new SampleSetBuilder().Cell("c001");
        for (var round = 0; round < 20; round++)
        {
            Add(round, "base", 100, 1 + (0.001 * (round * 7 % 5)));
            Add(round, "head", 100 * (1 + (noise * ((round * 13 % 20) - 9.5))), 1.05 * (1 + (0.001 * (round * 3 % 7))));
        }

        return session;

        void Add(int round, string arm, double wall, double processor) => session.Launch(Stage.Confirm, round, arm, 0, launch => launch with
        {
            Metrics = new Dictionary<string, double>(StringComparer.Ordinal) { ["time"] = Math.Max(1, wall) },
            Evidence = new JsonObject { ["whileMeasuring"] = new JsonObject { ["processorSeconds"] = processor, ["units"] = 1000 } },
        });
    }
}
