using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>Where the noise of a row comes from, by what its launches kept. Rounds scatter by about 7 %; the numbers inside are made up.</summary>
public sealed class NoiseSourcesTests
{
    private static readonly double[] Wild = [.. SampleSetBuilder.Shifted(0).Select(difference => 5 * difference)];

    [Fact]
    public void launches_that_are_still_inside_leave_all_of_it_between_them()
    {
        var row = Row(_ => Benchmark(stdDev: 0.001, iterations: 10));
        var sources = row.NoiseSources.ShouldNotBeNull();
        sources.Within!.Value.ShouldBe(0.001 * Math.Sqrt(2.0 / 10), 1e-9);
        sources.Between!.Value.ShouldBe(row.Noise!.Value, 1e-4);
        row.Verdict.ShouldBe(Verdict.TooNoisy);
        row.Warnings[0].ShouldMatch(@"^noise \d+\.\d %: \d+\.\d % between launches, 0\.0 % within them$");
        row.Warnings[1].ShouldContain("--rounds 0+");
        row.Warnings[1].ShouldEndWith("a quieter machine would help (--wait 30m waits for one)");
    }

    [Fact]
    public void launches_that_scatter_inside_need_to_be_longer()
    {
        var row = Row(_ => Benchmark(stdDev: 0.3, iterations: 10));
        row.NoiseSources!.Within!.Value.ShouldBeGreaterThan(row.NoiseSources.Between!.Value);
        row.Warnings[1].ShouldEndWith("longer launches would help (`launch.measure` in workload.yaml): most of the noise is inside them");
    }

    [Fact]
    public void windows_are_read_in_parts_because_neighbouring_ones_are_alike()
    {
        // Each fifth of the measured time is 1 % off the one before, up and down; single windows are alike inside it.
        double[] rates = [.. Enumerable.Range(0, 20).Select(window => window / 4 % 2 == 0 ? 101.0 : 99)];
        var within = Row(_ => new() { ["windows"] = Windows(rates) }).NoiseSources!.Within!.Value;
        double[] parts = [101, 99, 101, 99, 101];
        var spread = Math.Sqrt(parts.Sum(part => Math.Pow(part - parts.Average(), 2)) / 4) / parts.Average();
        within.ShouldBe(spread * Math.Sqrt(2.0 / 5), 1e-9);
    }

    [Fact]
    public void others_on_the_cores_are_counted_and_a_machine_to_itself_advised()
    {
        var row = Row(_ => Benchmark(0.001, 10), round => round < 15 ? 0.8 : 0.1);
        (row.NoiseSources!.Disturbed, row.NoiseSources.Watched).ShouldBe((30, 40));
        row.Warnings[0].ShouldEndWith("; others had half of the cores or more in 30 of 40 launches");
        row.Warnings[1].ShouldEndWith("a machine to itself would help (--wait 30m waits for a quiet one)");
    }

    [Fact]
    public void rounds_are_advised_for_an_hour_at_most()
    {
        Row(_ => [], seconds: 1).Warnings.ShouldHaveSingleItem().ShouldContain("measure this row alone with about --rounds 0+");
        var lengthy = Row(_ => [], seconds: 120).Warnings.ShouldHaveSingleItem();
        lengthy.ShouldContain("it would take");
        lengthy.ShouldNotContain("--rounds");
    }

    [Fact]
    public void what_nobody_knows_is_not_said()
    {
        Row(_ => []).NoiseSources.ShouldBeNull();
        Row(_ => new() { ["benchmarkDotNet"] = new JsonObject { ["stdDev"] = -1, ["iterations"] = "ten" } }).NoiseSources.ShouldBeNull();
        Row(_ => new() { ["windows"] = Windows([100, 100, 100]) }).NoiseSources.ShouldBeNull();
    }

    private static JsonObject Benchmark(double stdDev, double iterations) =>
        new() { ["benchmarkDotNet"] = new JsonObject { ["stdDev"] = stdDev, ["iterations"] = iterations } };

    private static JsonObject Windows(double[] rates) => new()
    {
        ["warmUpSeconds"] = 0,
        ["ends"] = new JsonArray([.. rates.Select((_, window) => (JsonNode)((window + 1) / 10.0))]),
        ["rates"] = new JsonArray([.. rates.Select(rate => (JsonNode)rate)]),
    };

    private static ComparedMetric Row(Func<int, JsonObject> evidence, Func<int, double>? others = null, double seconds = 1)
    {
        var session = new SampleSetBuilder().Cell("c001");
        for (var round = 0; round < Wild.Length; round++)
        {
            foreach (var (arm, value) in new[] { ("base", 100.0), ("head", 100 * Math.Exp(Wild[round])) })
            {
                session.Launch(Stage.Confirm, round, arm, 0, launch => launch with
                {
                    WallSeconds = seconds,
                    Metrics = new Dictionary<string, double> { ["time"] = value },
                    Evidence = evidence(round),
                    Hygiene = others is null ? [] : new JsonObject { ["others"] = others(round) },
                });
            }
        }

        return session.Compare().Cells.Single(row => row.Primary);
    }
}
