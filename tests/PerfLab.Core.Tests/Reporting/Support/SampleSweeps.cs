using System.Globalization;
using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Reports;
using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Core.Tests.Reporting.Support;

/// <summary>Sessions with a sweep. Every launch is a value of a formula and a little seeded noise: to be looked at.</summary>
internal static class SampleSweeps
{
    public static readonly Metric Throughput = new("throughput", "msg/s", Better.Higher, Primary: true);

    /// <summary>`--vary batch=1,5,30,200 --runtime net8.0,net10.0 --pgo off,on`: four lines of four points, with windows.</summary>
    public static SampleSet Batches() => Session(
        from runtime in new[] { "net8.0.33", "net10.0.14" }
        from pgo in new[] { "off", "on" }
        select Cell(new() { ["runtime"] = runtime, ["pgo"] = pgo }, [], "batch", ["1", "5", "30", "200"]),
        values => 7e7 * Plateau(values) * (values["runtime"] == "net8.0.33" ? 0.82 : 1) * (values["pgo"] == "off" ? 0.86 : 1),
        values => values["pgo"] == "off" ? 3 : 9);

    /// <summary>`--base pgo=off --head pgo=on --set clients=1,10,100,1000,10000`: the cells make the curve, the arms the lines; three decades of values.</summary>
    public static SampleSet Clients() => Session(
        from clients in new[] { "10000", "1", "10", "1000", "100" }
        select Cell(new() { ["runtime"] = "net10.0.14" }, new() { ["clients"] = clients }, "pgo", ["off", "on"]),
        values => 400 * Math.Pow(Number(values["clients"]), 0.93) * (values["pgo"] == "off" ? 0.7 : 1));

    /// <summary>`--vary pgo=off,on,full --runtime …`: no number anywhere.</summary>
    public static SampleSet Knobs() => Session(
        from runtime in new[] { "net8.0.33", "net9.0.5", "net10.0.14" }
        select Cell(new() { ["runtime"] = runtime }, [], "pgo", ["off", "on", "full"]),
        values => (values["runtime"] switch { "net8.0.33" => 52e3, "net9.0.5" => 55e3, _ => 61e3 }) * (values["pgo"] switch { "off" => 0.9, "on" => 1, _ => 1.03 }));

    /// <summary>`--vary memory=1GiB,64MiB,256MiB`.</summary>
    public static SampleSet Memory() => Session(
        [Cell(new() { ["runtime"] = "net10.0.14" }, [], "memory", ["1GiB", "64MiB", "256MiB"])],
        values => values["memory"] == "64MiB" ? 40e3 : 60e3);

    /// <summary>Names of a length that no chart has room for on one line: real ones of frameworks and parameters, and one without a blank.</summary>
    public static SampleSet LongNames() => Session(
        from runtime in new[] { "net8.0.33", "net10.0.14" }
        from transport in new[] { "dotnetty-tcp-with-tls-1.3", "System.IO.Pipelines.Experimental.NamedPipes" }
        let arms = new[] { "orleans@10.0.0-preview.4.25258.110", "proto-actor@1.7.0", "akka@1.5.30", "dapr@1.14.0" }
        let cell = Cell(new() { ["runtime"] = runtime, ["pgo"] = "on", ["gc"] = "server" }, new() { ["transport"] = transport, ["serializer"] = "hyperion" }, "framework", arms)
        select cell with { Workload = "virtual-actor-messaging-between-two-processes-on-one-machine" },
        values => (values["runtime"] == "net8.0.33" ? 0.8e6 : 1e6) * (values["transport"].Length > 30 ? 0.9 : 1) * values["framework"].Length);

    /// <summary>One arm over one parameter; the third point could not be measured.</summary>
    public static SampleSet OneArm() => Session(
        from size in new[] { "1", "2", "3", "4" } select Cell(new() { ["runtime"] = "net10.0.14" }, new() { ["size"] = size }, "pgo", ["on"]),
        values => values["size"] == "3" ? double.NaN : 1000 * Number(values["size"]));

    /// <summary>Names that want to be markup, in every place that a picture shows.</summary>
    public static SampleSet Hostile() => Session(
        from name in new[] { "</text><script>alert(1)</script>", "\u202E&amp;\"'\u0007" }
        select Cell(new() { ["run\"time"] = name }, [], "<b>", ["1", "2", "3"]) with
        {
            Workload = "]]><svg onload=x>",
            Metrics = [new("<script>", "&s", Better.Lower, Primary: true)],
        },
        values => 1000 * Number(values["<b>"]));

    public static (Comparison Comparison, ReportContext Context) Report(SampleSet samples) =>
        (Comparer.Compare(samples, new(new Policy { ScreenRounds = 0, ConfirmRounds = 13 }, "plan")), ReportContext.From(samples));

    private static double Plateau(Dictionary<string, string> values) => Number(values["batch"]) / (Number(values["batch"]) + 3);

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);

    private static Cell Cell(Dictionary<string, string> dimensions, Dictionary<string, string> parameters, string dimension, string[] arms) => new()
    {
        Id = "",
        Workload = "channel-actors",
        Dimensions = dimensions,
        Parameters = parameters,
        Arms = [.. arms.Select(value => new Arm { Id = value, Dimensions = new Dictionary<string, string> { [dimension] = value }, Build = $"sha256:{value}" })],
        Metrics = [Throughput],
    };

    public static SampleSet Session(IEnumerable<Cell> cells, Func<Dictionary<string, string>, double> value, Func<Dictionary<string, string>, int>? late = null)
    {
        Cell[] numbered = [.. cells.Select((cell, index) => cell with { Id = string.Create(CultureInfo.InvariantCulture, $"c{index + 1:000}") })];
        return new()
        {
            Header = new()
            {
                Session = "20260301-140509-a1b2",
                Plan = "sha256:" + new string('5', 64),
                Seed = 7,
                Started = new(2026, 3, 1, 14, 5, 9, TimeSpan.Zero),
                Executor = "process",
                Policy = new Policy { ScreenRounds = 0, ConfirmRounds = 13 },
                Cells = numbered,
            },
            Launches = [.. numbered.Where(cell => cell.Unavailable is null).SelectMany(cell => cell.Arms.SelectMany(arm => Enumerable.Range(0, 13).Select(round => Launch(cell, arm, round, value, late))))],
            Voids = [],
            Complete = true,
        };
    }

    private static Launch Launch(Cell cell, Arm arm, int round, Func<Dictionary<string, string>, double> value, Func<Dictionary<string, string>, int>? late)
    {
        var values = cell.Dimensions.Concat(cell.Parameters).Concat(arm.Dimensions).ToDictionary(pair => pair.Key, pair => pair.Value);
        var random = SeededRandom.For(7, $"{cell.Id} {arm.Id} {round}");
        var rate = value(values) * (1 + (0.03 * random.NextNormal()));
        var windows = late is null ? [] : new JsonObject { ["windows"] = Windows(rate, late(values) + random.Next(3), random) };
        return new()
        {
            Cell = cell.Id,
            Stage = Stage.Confirm,
            Round = round,
            Position = 0,
            Arm = arm.Id,
            Started = DateTimeOffset.UnixEpoch,
            WallSeconds = 2,
            Outcome = double.IsNaN(rate) ? Outcome.Failed : Outcome.Measured,
            Metrics = double.IsNaN(rate) ? new Dictionary<string, double>() : cell.Metrics.ToDictionary(metric => metric.Name, _ => rate),
            Evidence = windows,
        };
    }

    private static JsonObject Windows(double rate, int late, SeededRandom random) => new()
    {
        ["warmUpSeconds"] = 1.4,
        ["ends"] = new JsonArray([.. Enumerable.Range(1, 30).Select(window => (JsonNode)(window / 10.0))]),
        ["rates"] = new JsonArray([.. Enumerable.Range(0, 30).Select(window => (JsonNode)(rate * (window < late ? 0.35 + (0.02 * window) : 1) * (1 + (0.03 * random.NextNormal()))))]),
        ["compiled"] = new JsonArray([.. Enumerable.Range(0, 30).Select(window => (JsonNode)(window < 3 ? 40 : window % 2))]),
    };
}
