using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Processes;
using PerfLab.Launching.Proof;

namespace PerfLab.Workload.Tests.Benchmarks;

/// <summary>
/// With one core the runtime waits ten times longer before it compiles anew. What the JIT itself says of a real launch: no time is
/// asserted.
/// </summary>
public sealed class OneCoreTests(Lab lab)
{
    /// <summary>Compiled methods with their tiers, and the beginning of each iteration.</summary>
    private const string Providers = "Microsoft-Windows-DotNETRuntime:0x1000000018:5,BenchmarkDotNet.EngineEventSource:0xFFFFFFFF:4";

    private const StringComparison Exactly = StringComparison.Ordinal;

    private static readonly string Project = Path.Combine(Lab.Fixture("benchmarks"), "Some.Benchmarks", "Some.Benchmarks.csproj");

    [Fact]
    public async Task a_method_is_in_its_last_tier_when_it_is_measured_with_one_core()
    {
        Nightly.Only("a minute");
        var (judged, trace) = await LaunchedAsync("Ages.Json");

        judged.Evidence["processors"]!.GetValue<int>().ShouldBe(1);
        var (methods, measured) = Read(trace);
        measured.ShouldNotBeEmpty();
        var before = methods.Where(method => method.At < measured[0]).ToList();
        before.Where(method => method.Name == "Some.Benchmarks.Ages.Json").ShouldNotBeEmpty();
        before.Last(method => method.Name == "Some.Benchmarks.Ages.Json").Tier.ShouldBe(OptimizationTier.OptimizedTier1);
        methods.Except(before).Select(method => method.Name)
            .Where(name => name.StartsWith("Some.Benchmarks.", Exactly) || name.StartsWith("System.Text.Json.", Exactly))
            .ShouldBeEmpty("compiled while it was measured");
        var rest = RestState.From(judged.Evidence).ShouldNotBeNull();
        (rest.AtRest, rest.Bound).ShouldBe((true, 28));
    }

    private async Task<(JudgedLaunch Judged, byte[] Trace)> LaunchedAsync(string name)
    {
        var (planned, launches) = await PlannedBenchmark.MakeAsync(lab, Project, "Some.Benchmarks." + name);
        var cell = planned with { Launch = new(1, 1, 60), Resources = planned.Resources with { Cpus = 1 } };
        await using var launcher = ProcessLauncher.Create();
        var nonce = LaunchEnvironment.NewNonce();
        var traced = new TraceVariables(ProofNeed.RuntimeMajor(cell.Arms[0]), Providers);
        var spec = launches.Of(cell, cell.Arms[0], nonce, 100, traced, new(16 * 1000, 0, 8));
        var end = await launcher.LaunchAsync(spec, TestContext.Current.CancellationToken);
        var judged = LaunchJudge.Judge(new(cell, cell.Arms[0], nonce), end);
        judged.Outcome.ShouldBe(Outcome.Measured, $"{judged.Reason} {end.Tail}");
        var file = Directory.GetFiles(Path.GetDirectoryName(end.ResultFile)!, "trace-*.nettrace").ShouldHaveSingleItem();
        return (judged, await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken));
    }

    /// <summary>In the order in which they happened; milliseconds since the trace began.</summary>
    private static (IReadOnlyList<Compiled> Methods, IReadOnlyList<double> Measured) Read(byte[] trace)
    {
        var (methods, measured) = (new List<Compiled>(), new List<double>());
        using var source = new EventPipeEventSource(new MemoryStream(trace));
        source.Clr.MethodLoadVerbose += data =>
            methods.Add(new($"{data.MethodNamespace}.{data.MethodName}", data.OptimizationTier, data.TimeStampRelativeMSec));
        source.Dynamic.All += data =>
        {
            if (data.EventName.StartsWith("WorkloadActual", Exactly) && data.EventName.EndsWith("Start", Exactly))
            {
                measured.Add(data.TimeStampRelativeMSec);
            }
        };
        source.Process();
        return ([.. methods.OrderBy(method => method.At)], [.. measured.Order()]);
    }

    private sealed record Compiled(string Name, OptimizationTier Tier, double At);
}
