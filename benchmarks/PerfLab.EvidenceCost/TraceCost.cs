using System.Diagnostics;
using PerfLab.Launching.Processes;
using PerfLab.Profiling;
using static System.FormattableString;

namespace PerfLab.EvidenceCost;

/// <summary>A trace of http-loopback with everything compiled by the JIT and the GC's events: read as `jit --trace` does.</summary>
internal static class TraceCost
{
    private const int Repeats = 9;

    public static async Task RunAsync(int seconds)
    {
        var build = await Bench.BuildAsync("http-loopback", "HttpLoopback.csproj", "10.0.14");
        await using var launcher = ProcessLauncher.Create();
        await launcher.PrepareAsync([build], CancellationToken.None);
        KeyValuePair<string, string>[] own =
        [
            new("DOTNET_ReadyToRun", "0"), new("DOTNET_EnableEventPipe", "1"), new("DOTNET_EventPipeConfig", "Microsoft-Windows-DotNETRuntime:0x1000000019:5"),
            new("DOTNET_EventPipeOutputStreaming", "1"), new("DOTNET_EventPipeCircularMB", "40"), new("PERF_LAB_WARM_UP", "0.5"),
            new("PERF_LAB_MEASURE", Invariant($"{seconds}")), new("PERF_LAB_MODE", "steady"),
        ];
        var end = await launcher.LaunchAsync(Bench.Spec(build, "./HttpLoopback", own, new KeyValuePair<string, string>("DOTNET_EventPipeOutputPath", "trace.nettrace")), CancellationToken.None);
        var path = Path.Combine(Path.GetDirectoryName(end.ResultFile)!, "trace.nettrace");
        if (!File.Exists(path))
        {
            throw new InvalidOperationException($"no trace: {end.How} {end.ExitCode} {end.Tail}");
        }

        var first = Time(() => Read(path));
        var (facts, reading) = Read(path);
        List<double> times = [.. Enumerable.Range(0, Repeats).Select(_ => Time(() => Read(path)))];
        var median = Bench.Quantile(times, 0.5);
        Console.WriteLine($"Trace of http-loopback, {seconds} s measured, ReadyToRun off, JIT and GC events at level 5. {Bench.Where}");
        Console.WriteLine($"`dotnet run -c Release --project benchmarks/PerfLab.EvidenceCost -- trace {seconds}`\n");
        Console.WriteLine(Invariant($"{new FileInfo(path).Length / 1048576.0:0.0} MiB, {reading.Events} events over {reading.Duration.TotalSeconds:0.0} s, {facts.Jit.Total.Count} compilations, {facts.Collections} collections, {reading.EventsLost} events lost."));
        Console.WriteLine(Invariant($"Read: median of {Repeats} {median:0} ms (quartiles {Bench.Quantile(times, 0.25):0} to {Bench.Quantile(times, 0.75):0}), {100 * median / 1000 / reading.Duration.TotalSeconds:0.00} % of the time that it covers; the first {first:0} ms."));
    }

    private static (Core.Evidence.RuntimeTraceFacts Facts, TraceReading Reading) Read(string path)
    {
        using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, 1 << 16, FileOptions.SequentialScan);
        return RuntimeTrace.Read(stream);
    }

    private static double Time(Action action)
    {
        var clock = Stopwatch.StartNew();
        action();
        return clock.Elapsed.TotalMilliseconds;
    }
}
