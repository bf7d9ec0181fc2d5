using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Launching;

/// <summary>What was seen of several nodes from outside, as of one launch: sums and sets, and each node's own beside them.</summary>
internal static class NodeEvidence
{
    private static readonly string[] Sums = ["cpuSeconds", "peakMemoryBytes"];

    /// <summary>The same for every node, or one after the other: what holds launches of one round against each other.</summary>
    private static readonly string[] Seals = ["sandbox", "container", LimitEvidence.Cores, LimitEvidence.Memory];

    public static JsonObject Of(IReadOnlyList<NodeEnd> ends)
    {
        var evidence = new JsonObject();
        var cpus = ends.SelectMany(node => Text(node, "cpus") is { } list && CpuList.TryParse(list, out var parsed) ? parsed : [])
            .Distinct().Order().ToList();
        if (cpus.Count > 0)
        {
            evidence["cpus"] = CpuList.Format(cpus);
        }

        foreach (var name in Sums)
        {
            var values = ends.Select(node => JsonNumber.Of(node.End.Evidence[name])).ToList();
            if (values.Count > 0 && values.TrueForAll(value => value is not null))
            {
                evidence[name] = values.Sum(value => value!.Value);
            }
        }

        foreach (var name in Seals)
        {
            var texts = ends.Select(node => Text(node, name)).OfType<string>().ToList();
            if (texts.Count > 0)
            {
                evidence[name] = string.Join(' ', texts.Distinct(StringComparer.Ordinal));
            }
        }

        if (ends is [var first, ..] && first.End.Evidence["inside"] is { } inside)
        {
            evidence["inside"] = inside.DeepClone(); // all nodes are caged alike
        }

        evidence["nodes"] = new JsonObject(ends.Select(node => KeyValuePair.Create(node.Name, (JsonNode?)node.End.Evidence.DeepClone())));
        return evidence;
    }

    private static string? Text(NodeEnd node, string name) =>
        node.End.Evidence[name] is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;
}
