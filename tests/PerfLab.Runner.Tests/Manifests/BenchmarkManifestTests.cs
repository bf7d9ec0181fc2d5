using PerfLab.Core.Model;

namespace PerfLab.Runner.Tests.Manifests;

/// <summary>A workload.yaml with `result: benchmarkdotnet`: the benchmarks are named, all else is the lab's.</summary>
public sealed class BenchmarkManifestTests : IDisposable
{
    private const string Good = """
        schema: perf-lab/workload/1
        name: json-round-trip
        summary: short
        build: { kind: dotnet, project: ../../src/My.Benchmarks/My.Benchmarks.csproj, runtimes: [net8.0, net10.0] }
        parameters:
          benchmark: { default: My.Parsing.Dates, values: [My.Parsing.Dates, "My.Parsing.Numbers(count: 10, text: \"a\")"] }
        launch: { warm-up: 1s, measure: 1s, timeout: 120s }
        result: benchmarkdotnet

        """;

    private readonly YamlFiles _files = new();

    public void Dispose() => _files.Dispose();

    [Fact]
    public void the_driver_and_the_metrics_are_the_labs()
    {
        var workload = _files.ReadWorkload(Good).Workload.ShouldNotBeNull();
        (workload.Result, workload.Build.Project).ShouldBe((ResultFormat.BenchmarkDotNet, "../../src/My.Benchmarks/My.Benchmarks.csproj"));
        workload.Command.ShouldBe(["./PerfLab.BenchmarkDriver"]);
        workload.Modes.ShouldHaveSingleItem().Metrics.Select(metric => metric.Name).ShouldBe(["time", "allocated", "gen0", "gen1", "gen2"]);
        workload.Parameters.Single().Values[1].ShouldBe("My.Parsing.Numbers(count: 10, text: \"a\")");
    }

    [Theory]
    [InlineData("result: benchmarkdotnet", "result: benchmarkdotnet\ncommand: [./run]", "line 9, command: has no place with result: benchmarkdotnet: the lab starts the benchmarks")]
    [InlineData("result: benchmarkdotnet", "result: benchmarkdotnet\nmetrics: { a: { unit: s, better: lower, primary: true } }", "line 9, metrics: has no place with result: benchmarkdotnet")]
    [InlineData("result: benchmarkdotnet", "result: benchmarkdotnet\nmodes: { steady: default }", "line 9, modes: has no place with result: benchmarkdotnet")]
    [InlineData("benchmark:", "benchmarks:", "line 5, parameters: must be benchmark, and nothing else, with the names of the benchmarks as values")]
    [InlineData(", values: [My.Parsing.Dates, \"My.Parsing.Numbers(count: 10, text: \\\"a\\\")\"]", "", "parameters: must be benchmark")]
    [InlineData("{ kind: dotnet, project: ../../src/My.Benchmarks/My.Benchmarks.csproj, runtimes: [net8.0, net10.0] }", "{ kind: none }", "line 4, build.kind: must be dotnet with result: benchmarkdotnet")]
    [InlineData("project: ../..", "project: /", "build.project: must be a path from the workload's folder")]
    [InlineData("result: benchmarkdotnet", "result: perf-lab", "line 1, command: is missing|line 1, metrics: is missing")]
    public void what_it_has_no_say_in_is_refused(string good, string bad, string expected)
    {
        Good.ShouldContain(good);
        var problems = _files.ReadWorkload(Good.Replace(good, bad)).Problems;
        foreach (var one in expected.Split('|'))
        {
            problems.ShouldContain(problem => problem.Contains(one, StringComparison.Ordinal), string.Join("; ", problems));
        }
    }
}
