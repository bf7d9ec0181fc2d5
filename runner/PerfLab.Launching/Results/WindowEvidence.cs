using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Launching.Results;

/// <summary>
/// Gives a workload without the kit's evidence.windows (a script, say) the same from the windows of its primary metric: equally long parts of
/// the measured time, no warm-up, nothing known of the JIT.
/// </summary>
internal static class WindowEvidence
{
    public static JsonObject Added(WorkloadResult result, IReadOnlyList<Metric> metrics)
    {
        var primary = metrics.First(metric => metric.Primary).Name;
        if (result.Evidence.ContainsKey("windows") || !result.Windows.TryGetValue(primary, out var values)
            || values.Count is 0 or > WindowSeries.Most)
        {
            return result.Evidence;
        }

        var length = result.MeasuredSeconds / values.Count;
        result.Evidence["windows"] = new JsonObject
        {
            ["warmUpSeconds"] = 0,
            ["ends"] = new JsonArray([.. values.Select((_, window) => (JsonNode)((window + 1) * length))]),
            ["rates"] = new JsonArray([.. values.Select(value => (JsonNode)value)]),
        };
        return result.Evidence;
    }
}
