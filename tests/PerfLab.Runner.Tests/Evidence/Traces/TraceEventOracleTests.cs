using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Analysis;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;
using PerfLab.Core.Evidence;
using PerfLab.Profiling;

namespace PerfLab.Runner.Tests.Evidence.Traces;

/// <summary>Our pairs give the numbers that TraceEvent gives, which computes the tables of PerfView.</summary>
public class TraceEventOracleTests
{
    public static TheoryData<string> Traces => [.. TraceFixtures.All, "lost"];

    [Theory]
    [MemberData(nameof(Traces))]
    public void the_jit_table_is_that_of_perfview(string name)
    {
        var bytes = TraceFixtures.Read(name);
        var (facts, reading) = RuntimeTrace.Read(bytes);
        using var source = new EventPipeEventSource(new MemoryStream(bytes));
        int? flags = null;
        source.Clr.TieredCompilationSettings += settings => flags = (int)settings.Flags;
        source.NeedLoadedDotNetRuntimes();
        source.Process();
        var jit = source.Processes().Single(process => process.LoadedDotNetRuntime() is not null).LoadedDotNetRuntime().JIT;
        var expected = jit.Stats();

        reading.Problem.ShouldBeNull();
        reading.EventsLost.ShouldBe(source.EventsLost);
        reading.Duration.TotalMilliseconds.ShouldBe(source.SessionDuration.TotalMilliseconds, 1);
        facts.SettingsFlags.ShouldBe(flags);
        facts.Patch.ShouldBe(name == "lost" ? "8.0.33" : name.Split('-')[0]);
        facts.Jit.Total.Count.ShouldBe((int)expected.Count);
        facts.Jit.Total.IlBytes.ShouldBe(expected.TotalILSize);
        facts.Jit.Total.NativeBytes.ShouldBe(expected.TotalNativeSize);
        facts.Jit.Total.Milliseconds.ShouldBe(expected.TotalCpuTimeMSec, 0.001);
        facts.Jit.Of(JitTrigger.Foreground).Count.ShouldBe((int)expected.CountForeground);
        facts.Jit.Of(JitTrigger.Foreground).Milliseconds.ShouldBe(expected.TotalForegroundCpuTimeMSec, 0.001);
        facts.Jit.Of(JitTrigger.TieredBackground).Count.ShouldBe((int)expected.CountBackgroundTieredCompilation);
        facts.Jit.Of(JitTrigger.TieredBackground).Milliseconds.ShouldBe(expected.TotalBackgroundTieredCompilationCpuTimeMSec, 0.001);
        facts.Jit.Of(JitTrigger.MulticoreBackground).Count.ShouldBe((int)expected.CountBackgroundMultiCoreJit);
        // Unknown there: begun, and the event that ends it was lost.
        foreach (var tier in jit.Methods.Where(method => method.OptimizationTier != OptimizationTier.Unknown).GroupBy(method => (int)method.OptimizationTier))
        {
            facts.Jit.Of((JitTier)tier.Key).Count.ShouldBe(tier.Count(), $"tier {tier.Key}");
        }
    }
}
