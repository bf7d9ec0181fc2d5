using PerfLab.Launching.Results;

namespace PerfLab.Workload.Tests;

/// <summary>What the result format (docs/internals/formats.md) asks of every result.json.</summary>
public static class ResultShape
{
    public static void ShouldFit(LaunchOutcome launch, Manifest manifest, string mode = "steady")
    {
        launch.ExitCode.ShouldBe(0, launch.Errors);
        var result = launch.Result.ShouldNotBeNull("no result was written");
        // What this reads and what schemas/result.schema.json takes are the same (FormatLaws).
        WorkloadResult.File.Read(result.ToJsonString()).Problems.ShouldBeEmpty();
        ((string?)result["nonce"]).ShouldBe(ShortLaunch.Nonce);
        ((double)result["measuredSeconds"]!).ShouldBeInRange(0.0001, launch.WallSeconds);
        var metrics = result["metrics"]!.AsObject();
        metrics.Select(metric => metric.Key).ShouldBe(manifest.Units(mode).Keys, ignoreOrder: true);
        foreach (var (name, metric) in metrics)
        {
            ((string?)metric!["unit"]).ShouldBe(manifest.Units(mode)[name]);
            // A program that does its work without new objects allocates 0; the lab takes that from metrics that are declared exact.
            ((double)metric["value"]!).ShouldBeGreaterThan(manifest.IsExact(name) ? -1 : 0, name);
        }

        launch.Output.ShouldBeEmpty("nothing that matters is printed");
    }
}
