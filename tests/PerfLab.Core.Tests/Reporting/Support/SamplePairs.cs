using System.Text.Json.Nodes;
using PerfLab.Core.Model;

namespace PerfLab.Core.Tests.Reporting.Support;

/// <summary>Sessions of two arms, head against base, as most people have them.</summary>
internal static class SamplePairs
{
    public const string Hostile = "</title><script>alert(1)</script><img src=x onerror=alert(2)> \u202Egnp.exe \u05E9\u05DC\u05D5\u05DD 'quoted' \"too\" & more";

    /// <summary>300 letters without a blank: nothing to break at.</summary>
    public static string Long { get; } = string.Concat(Enumerable.Range(0, 60).Select(index => FormattableString.Invariant($"a{index:0000}")));

    /// <summary>Two cells that moved, one each way, and two that did not; with windows and a latency histogram.</summary>
    public static SampleSet FourCells() => WithLatency(Of(["slower", "faster", "same", "quiet"], cell => cell switch { "slower" => 0.93, "faster" => 1.3, _ => 1 }));

    public static SampleSet Many(int cells) => Of([.. Enumerable.Range(0, cells).Select(index => FormattableString.Invariant($"n{index}"))], _ => 1);

    /// <summary>One cell for each name, the name in every place that a page shows.</summary>
    public static SampleSet Named(params string[] names)
    {
        var samples = Of(names, _ => 1.3);
        return samples with
        {
            Header = samples.Header with
            {
                Executor = names[0],
                Cells = [.. samples.Header.Cells.Select((cell, index) => cell with
                {
                    Workload = names[index],
                    Arms = [.. cell.Arms.Select(arm => arm with { Dimensions = arm.Dimensions.ToDictionary(pair => pair.Key, pair => names[index] + pair.Value) })],
                    Metrics = [new Metric(names[index], names[index], Better.Higher, Primary: true)],
                })],
            },
            Launches = [.. samples.Launches.Select(launch => launch with
            {
                Metrics = new Dictionary<string, double> { [names[int.Parse(launch.Cell[1..], System.Globalization.CultureInfo.InvariantCulture) - 1]] = launch.Metrics["throughput"] },
                Evidence = new JsonObject { [names[0]] = names[^1] },
            })],
        };
    }

    private static SampleSet Of(string[] cells, Func<string, double> effect) => SampleSweeps.Session(
        cells.Select(name => new Cell
        {
            Id = "",
            Workload = "json-round-trip",
            Dimensions = new Dictionary<string, string> { ["runtime"] = "net10.0.14" },
            Parameters = new Dictionary<string, string> { ["documents"] = name },
            Arms = [.. new[] { "off", "on" }.Select((pgo, index) => new Arm { Id = index == 0 ? "base" : "head", Dimensions = new Dictionary<string, string> { ["pgo"] = pgo }, Build = $"sha256:{pgo}" })],
            Metrics = [SampleSweeps.Throughput],
        }),
        values => 64_000 * (values["pgo"] == "on" ? effect(values["documents"]) : 1), _ => 3);

    private static SampleSet WithLatency(SampleSet samples) => samples with
    {
        Launches = [.. samples.Launches.Select(launch =>
        {
            var evidence = launch.Evidence.DeepClone().AsObject();
            evidence["gcServer"] = false;
            evidence["histograms"] = new JsonObject
            {
                ["latency"] = new JsonObject
                {
                    ["unit"] = "s",
                    ["counts"] = new JsonArray([.. Enumerable.Range(0, 24).Select(bucket => (JsonNode)new JsonArray((long)(40_000 * Math.Pow(1.25, bucket)), 1 + (1000 / (1 + Math.Abs(bucket - (launch.Arm == "head" ? 6 : 8))))))]),
                },
            };
            return launch with { Evidence = evidence };
        })],
    };
}
