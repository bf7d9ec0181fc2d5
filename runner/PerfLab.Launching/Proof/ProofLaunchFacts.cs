using PerfLab.Core.Evidence;

namespace PerfLab.Launching.Proof;

/// <summary>What a traced launch of an arm told, for use with its measured launches.</summary>
/// <param name="Trace">Null when no trace could be read.</param>
/// <param name="IsThisLaunch">The trace is of the launch that is judged.</param>
public sealed record ProofLaunchFacts(RuntimeTraceFacts? Trace, IReadOnlyList<string> Doubts, bool IsThisLaunch = false)
{
    public static JsonObject ToJson(RuntimeTraceFacts trace) => new()
    {
        ["flags"] = trace.SettingsFlags,
        ["methods"] = trace.Jit.Total.Count,
        ["tiers"] = new JsonObject(trace.Jit.ByTier.Select(tier => KeyValuePair.Create<string, JsonNode?>(tier.Key.ToString(), tier.Value.Count))),
        ["collections"] = trace.Collections,
        ["heaps"] = trace.Heaps,
        ["gcEvents"] = new JsonObject(trace.GcDynamicEvents.Select(name => KeyValuePair.Create<string, JsonNode?>(name.Key, name.Value))),
    };
}
