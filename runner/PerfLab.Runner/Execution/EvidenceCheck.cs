using System.Text.Json.Nodes;

namespace PerfLab.Runner.Execution;

/// <summary>Holds what a launch reports about its runtime against the plan: a launch that did not run as claimed does not count.</summary>
public static class EvidenceCheck
{
    /// <summary>The first disagreement as a sentence, or null. What a workload does not report can't disagree.</summary>
    public static string? Disagreement(IReadOnlyDictionary<string, string> knobs, JsonObject evidence)
    {
        if (knobs.TryGetValue("runtime", out var runtime) && Text(evidence, "framework") is { } framework)
        {
            var patch = runtime[runtime.AsSpan().IndexOfAnyInRange('0', '9')..];
            if (!framework.EndsWith(" " + patch, StringComparison.Ordinal))
            {
                return $"it ran on {framework}, planned was .NET {patch}";
            }
        }

        if (knobs.TryGetValue("gc", out var gc) && evidence["gcServer"] is JsonValue server && server.TryGetValue<bool>(out var isServer)
            && isServer != (gc == "server"))
        {
            return $"it ran with {(isServer ? "server" : "workstation")} GC, planned was {gc}";
        }

        return null;
    }

    private static string? Text(JsonObject evidence, string name) =>
        evidence[name] is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;
}
