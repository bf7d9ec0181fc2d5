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
            <Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFrameworks>net8.0;net10.0</TargetFrameworks></PropertyGroup>
              <ItemGroup><PackageReference Include="BenchmarkDotNet" Version="0.15.8" /></ItemGroup></Project>
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

    internal void Listed(RunPlan open, string arm, IReadOnlyList<(string Name, string[] Categories)> benchmarks, string? why = null) =>
        Lab.Listed(open, (arm, Name), benchmarks, why);

    internal Task<(int Exit, string Out, string Error)> CompleteAsync() => Lab.CompleteAsync();

    internal Task<RunPlan> CompletedAsync() => Lab.CompletedAsync();

    public void Dispose() => Lab.Dispose();
}
