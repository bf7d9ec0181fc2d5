using System.Globalization;
using System.Text.Json.Nodes;

namespace PerfLab.Runner.Tests.Benchmarks;

/// <summary>
/// BenchmarkDotNet's full JSON, shortened from what 0.14.0 wrote; 0.13.12 and 0.15.8 have the same members
/// (https://github.com/dotnet/BenchmarkDotNet/blob/v0.15.8/src/BenchmarkDotNet/Exporters/Json/JsonExporterBase.cs).
/// </summary>
internal static class Reports
{
    public const string Name = "My.Parsing.Numbers(count: 10)";

    public static string Of(double mean = 190.25, string version = "0.14.0", string name = Name) => Whole(version, Benchmark(name, Number(mean)));

    public static string Whole(string version, params string[] benchmarks) => $$$"""
        {"Title":"My.Parsing-20261122-131500","HostEnvironmentInfo":{"BenchmarkDotNetCaption":"BenchmarkDotNet","BenchmarkDotNetVersion":"{{{version}}}",
        "OsVersion":"Debian GNU/Linux 12","ProcessorName":"AMD EPYC","PhysicalProcessorCount":null,"RuntimeVersion":".NET 10.0.14","Architecture":"X64",
        "HasAttachedDebugger":false,"Configuration":"RELEASE","ChronometerFrequency":{"Hertz":1000000000}},"Benchmarks":[{{{string.Join(",", benchmarks)}}}]}
        """;

    /// <param name="name">Full name.</param>
    /// <param name="mean">As it stands in the file.</param>
    /// <param name="operations">Of an iteration, which takes a tenth of what a pilot aims at.</param>
    public static string Benchmark(string name, string mean, string operations = "65536") => $$$"""
        {"DisplayInfo":"Parsing.Numbers: PerfLab","Namespace":"My","Type":"Parsing","Method":"Numbers","Parameters":"count=10",
        "FullName":{{{System.Text.Json.JsonSerializer.Serialize(name)}}},"HardwareIntrinsics":"","Statistics":{"OriginalValues":[189,191],"N":9,"Min":189,"Median":190,
        "Mean":{{{mean}}},"LowerOutliers":[],"UpperOutliers":[],"AllOutliers":[],"StandardError":0.5,"StandardDeviation":1.5,"Skewness":"",
        "ConfidenceInterval":{"N":9,"Mean":190,"StandardError":0.5,"Level":12,"Margin":3.805,"Lower":186,"Upper":194},"Percentiles":{"P0":189}},
        "Memory":{"Gen0Collections":11,"Gen1Collections":0,"Gen2Collections":0,"TotalOperations":65536,"BytesAllocatedPerOperation":376},
        "Measurements":[{"IterationMode":"Workload","IterationStage":"Warmup","LaunchIndex":0,"IterationIndex":1,"Operations":16,"Nanoseconds":99},
        {"IterationMode":"Workload","IterationStage":"Actual","LaunchIndex":0,"IterationIndex":1,"Operations":{{{operations}}},"Nanoseconds":99000000},
        {"IterationMode":"Workload","IterationStage":"Actual","LaunchIndex":0,"IterationIndex":2,"Operations":{{{operations}}},"Nanoseconds":10000000},
        {"IterationMode":"Workload","IterationStage":"Result","LaunchIndex":0,"IterationIndex":1,"Operations":{{{operations}}},"Nanoseconds":9999999}],
        "Metrics":[{"Value":376,"Descriptor":{"Id":"Allocated Memory"}}]}
        """;

    /// <summary>A benchmark of one job, measured in a process for each mean, in nanoseconds; it allocates 376 bytes.</summary>
    public static string Launched(string name, string job, params double[] means)
    {
        var benchmark = JsonNode.Parse(Benchmark(name, Number(means.Average())))!;
        benchmark["DisplayInfo"] = $"Parsing.Numbers: {job} [count=10]";
        benchmark["Measurements"] = new JsonArray([.. means.SelectMany((mean, launch) => new[]
        {
            One("Workload", "Result", launch, mean * 900), One("Workload", "Result", launch, mean * 1100),
            One("Overhead", "Result", launch, 1), One("Workload", "Actual", launch, 1),
        })]);
        return benchmark.ToJsonString();

        static JsonNode One(string mode, string stage, int launch, double nanoseconds) => new JsonObject
        {
            ["IterationMode"] = mode,
            ["IterationStage"] = stage,
            ["LaunchIndex"] = launch + 1,
            ["Operations"] = 1000,
            ["Nanoseconds"] = nanoseconds,
        };
    }

    private static string Number(double value) => value.ToString("R", CultureInfo.InvariantCulture);
}
