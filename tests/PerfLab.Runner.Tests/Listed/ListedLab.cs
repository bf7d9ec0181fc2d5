using System.Text.Json.Nodes;
using PerfLab.Core.Planning.Plans;
using PerfLab.Runner.Tests.Steps;

namespace PerfLab.Runner.Tests.Listed;

/// <summary>A repository whose suite names a project of BenchmarkDotNet, and what base and head say that they hold.</summary>
public sealed class ListedLab : IDisposable
{
    internal const string Name = "My.Bench";
    private RunPlan? _open;

    public ListedLab()
        : this("")
    {
    }

    /// <param name="more">Further workloads of the suite: ", echo".</param>
    internal ListedLab(string more)
    {
        Lab = new($$"""
            schema: perf-lab/config/1
            suites:
              pr: { workloads: [bench/My.Bench.csproj{{more}}], set: { runtime: [net10.0] } }
            machines:
              agent: { kind: azure, price-per-hour: 0.6, count: 4 }
            github: { suite: pr, machine: agent, budget: { minutes: 120 } }

            """);
        Lab.Write("repo/bench/My.Bench.csproj", """
            <Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFrameworks>net8.0;net10.0</TargetFrameworks></PropertyGroup></Project>
            """);
    }

    internal PullRequestLab Lab { get; }

    /// <summary>Once for all tests: MSBuild is asked about the project. The words of the request are as they were then.</summary>
    internal async Task<RunPlan> OpenAsync()
    {
        Lab.Words["filters"] = new JsonArray();
        Lab.Words["categories"] = new JsonArray();
        return _open ??= await Lab.PlanAsync();
    }

    /// <summary>What an arm says that it holds, as `build --list` writes it.</summary>
    internal void Listed(RunPlan open, string arm, params string[] names) =>
        Listed(open, arm, [.. names.Select(name => (name, (string[])[]))]);

    internal void Listed(RunPlan open, string arm, IReadOnlyList<(string Name, string[] Categories)> benchmarks, string? why = null)
    {
        var listed = new JsonArray([.. benchmarks.Select(benchmark => new JsonObject
        {
            ["name"] = benchmark.Name,
            ["categories"] = new JsonArray([.. benchmark.Categories.Select(category => JsonValue.Create(category))]),
        })]);
        var project = new JsonObject { ["workload"] = Name, ["benchmarks"] = listed, ["problems"] = new JsonArray(), ["why"] = why };
        Lab.Write($"{arm}.json", new JsonObject
        {
            ["schema"] = "perf-lab/benchmarks/1",
            ["plan"] = open.Hash,
            ["arm"] = arm,
            ["projects"] = new JsonArray(project),
        }.ToJsonString());
    }

    internal Task<(int Exit, string Out, string Error)> CompleteAsync()
    {
        Lab.Write("request.json", Lab.Request.ToJsonString());
        return Lab.RunAsync("plan", "--complete", "plan.json", "--request", "request.json", "--listed", "head=head.json", "--listed", "base=base.json");
    }

    internal async Task<RunPlan> CompletedAsync()
    {
        var (exit, output, error) = await CompleteAsync();
        exit.ShouldBe(0, error);
        Lab.Write("whole.json", output);
        return PlanFile.File.Read(output).Value.ShouldNotBeNull().Plan;
    }

    public void Dispose() => Lab.Dispose();
}
