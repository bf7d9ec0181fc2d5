using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Steady;
using PerfLab.Launching.Results;

namespace PerfLab.Runner.Tests.Execution.Results;

public sealed class WindowEvidenceTests
{
    private static readonly Metric[] Metrics = [new("sweeps", "1/s", Better.Higher, Primary: true), new("size", "B", Better.Lower)];

    [Fact]
    public void the_windows_of_a_script_become_a_series_over_the_measured_time()
    {
        var series = WindowSeries.From(WindowEvidence.Added(Result([10, 20, 30, 40]), Metrics))!;
        series.Ends.ShouldBe([0.5, 1, 1.5, 2]);
        series.Rates.ShouldBe([10, 20, 30, 40]);
        series.WarmUpSeconds.ShouldBe(0);
        series.Compiled.ShouldBeEmpty();
    }

    [Fact]
    public void what_the_kit_wrote_stays()
    {
        var result = Result([10, 20]) with { Evidence = new JsonObject { ["windows"] = "the kit's" } };
        WindowEvidence.Added(result, Metrics)["windows"]!.GetValue<string>().ShouldBe("the kit's");
    }

    [Fact]
    public void without_windows_of_the_primary_metric_there_are_none() =>
        WindowEvidence.Added(Result([10]) with { Windows = new Dictionary<string, IReadOnlyList<double>> { ["size"] = [1, 2] } }, Metrics).ShouldBeEmpty();

    private static WorkloadResult Result(IReadOnlyList<double> windows) => new()
    {
        Nonce = "n1",
        MeasuredSeconds = 2,
        Metrics = new Dictionary<string, MeasuredValue>(),
        Windows = new Dictionary<string, IReadOnlyList<double>> { ["sweeps"] = windows },
    };
}
