namespace PerfLab.Core.Model;

/// <summary>
/// What all workloads with `result: benchmarkdotnet` have in common. Each benchmark with one set of parameters is a value of one parameter,
/// and so a cell of its own; the lab's driver runs it, and BenchmarkDotNet says what it took.
/// </summary>
public static class BenchmarkCases
{
    /// <summary>The workload parameter that names a benchmark: "Namespace.Type.Method(parameter: value)".</summary>
    public const string Parameter = "benchmark";

    /// <summary>The driver, in the folder that is published.</summary>
    public const string Program = "./PerfLab.BenchmarkDriver";

    /// <summary>Longer names belong to no benchmark that anybody could tell from another.</summary>
    public const int LongestName = 1000;

    public const string Time = "time", Allocated = "allocated";

    /// <summary>Collections of a generation per 1,000 operations, as BenchmarkDotNet's columns Gen0, Gen1 and Gen2 say them.</summary>
    public static IReadOnlyList<string> Generations { get; } = ["gen0", "gen1", "gen2"];

    /// <summary>Seconds and bytes for one operation, and the collections.</summary>
    public static IReadOnlyList<Metric> Metrics { get; } =
    [
        new(Time, "s/op", Better.Lower, Primary: true),
        new(Allocated, "B/op", Better.Lower, Kind: MetricKind.Exact),
        .. Generations.Select(generation => new Metric(generation, "GC/kop", Better.Lower)),
    ];

    /// <summary>A launch is short, because launches are repeated: ten iterations of 100 ms to warm up, and ten that count.</summary>
    public static LaunchTimes Launch { get; } = new(WarmUpSeconds: 1, MeasureSeconds: 1, TimeoutSeconds: 120);

    public static bool IsBenchmarkDotNet(this Workload workload) => workload.Result == ResultFormat.BenchmarkDotNet;
}
