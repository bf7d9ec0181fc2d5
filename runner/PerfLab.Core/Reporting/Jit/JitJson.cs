using System.Text.Encodings.Web;
using PerfLab.Core.Evidence;

namespace PerfLab.Core.Reporting.Jit;

/// <summary>The report for machines, schema perf-lab/jit/1: durations in seconds, as everywhere.</summary>
public static class JitJson
{
    private static readonly JsonSerializerOptions Layout = new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, NewLine = "\n" };

    public static string Write(JitReport report) => new JsonObject
    {
        ["schema"] = "perf-lab/jit/1",
        ["cells"] = new JsonArray([.. report.Cells.Select(Cell)]),
    }.ToJsonString(Layout) + "\n";

    private static JsonNode Cell(JitCell cell) => new JsonObject
    {
        ["cell"] = cell.Label,
        ["arms"] = new JsonArray([.. cell.Arms.Select(Arm)]),
    };

    private static JsonNode Arm(JitArm arm) => new JsonObject
    {
        ["arm"] = arm.Arm,
        ["values"] = arm.Values,
        ["facts"] = new JsonArray([.. arm.Facts.Select(fact => (JsonNode)fact)]),
        ["doubts"] = new JsonArray([.. arm.Doubts.Select(doubt => (JsonNode)doubt)]),
        ["processCpuSeconds"] = arm.Statistics?.ProcessCpuSeconds,
        ["total"] = arm.Statistics is { } all ? Totals(all.Total) : null,
        ["triggers"] = arm.Statistics is { } statistics
            ? new JsonObject(Enum.GetValues<JitTrigger>().Select(trigger => KeyValuePair.Create<string, JsonNode?>(Name(trigger), Totals(statistics.Of(trigger)))))
            : null,
        ["tiers"] = arm.Statistics is { } tiered
            ? new JsonObject(tiered.ByTier.Select(tier => KeyValuePair.Create<string, JsonNode?>(tier.Key.ToString(), Totals(tier.Value))))
            : null,
        ["topMethods"] = arm.Statistics is { } top ? new JsonArray([.. top.TopMethods.Select(Method)]) : null,
    };

    private static JsonNode Method(JitMethod method)
    {
        var json = Totals(method.Totals);
        json["method"] = method.Name;
        json["tiers"] = new JsonArray([.. method.Tiers.Select(tier => (JsonNode)tier.ToString())]);
        return json;
    }

    private static JsonObject Totals(JitTotals totals) => new()
    {
        ["count"] = totals.Count,
        ["seconds"] = totals.Milliseconds / 1000,
        ["ilBytes"] = totals.IlBytes,
        ["codeBytes"] = totals.NativeBytes,
    };

    private static string Name(JitTrigger trigger) => trigger switch
    {
        JitTrigger.Foreground => "foreground",
        JitTrigger.MulticoreBackground => "multicoreBackground",
        _ => "tieredBackground",
    };
}
