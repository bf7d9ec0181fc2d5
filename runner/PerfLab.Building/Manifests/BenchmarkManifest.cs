using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Building.Manifests;

/// <summary>What a workload.yaml with `result: benchmarkdotnet` must say, and what it has no say in.</summary>
internal static class BenchmarkManifest
{
    private const string Ours = "has no place with result: benchmarkdotnet";

    public static IEnumerable<Problem> Problems(WorkloadManifest manifest)
    {
        if (manifest.Build is not DotnetBuild)
        {
            yield return new("build.kind",
                "must be dotnet with result: benchmarkdotnet: the project with the benchmarks is published with a driver of the lab's");
        }

        if (manifest.Command.Count > 0)
        {
            yield return new("command", $"{Ours}: the lab starts the benchmarks");
        }

        if (manifest.Metrics.Count > 0)
        {
            yield return new("metrics", $"{Ours}: they are {string.Join(", ", BenchmarkCases.Metrics.Select(metric => metric.Name))}");
        }

        if (manifest.Modes.Count > 0)
        {
            yield return new("modes", Ours);
        }

        if (manifest.Parameters.Count != 1 || manifest.Parameters.GetValueOrDefault(BenchmarkCases.Parameter) is not { Values.Count: > 0 })
        {
            yield return new("parameters",
                $"must be {BenchmarkCases.Parameter}, and nothing else, with the names of the benchmarks as values",
                "`./perf-lab run PROJECT --dry-run` lists them.");
        }
    }
}
