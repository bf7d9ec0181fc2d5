using PerfLab.Building;
using PerfLab.Launching.Results;

namespace PerfLab.Launching.Proof;

/// <summary>Holds the assemblies that a launch loaded against the packages that its arm names.</summary>
internal static class PackageEvidence
{
    /// <param name="expected">What lies in the arm's build.</param>
    /// <param name="reported">What the launch says; hostile.</param>
    /// <returns>One sentence when another version was loaded. For the journal: package -> planned, and what was loaded, null for
    /// nothing.</returns>
    public static (string? Disagreement, JsonObject? Proof) Of(IReadOnlyList<PackageAssembly> expected, JsonObject reported)
    {
        if (expected.Count == 0)
        {
            return (null, null);
        }

        var loaded = Loaded(reported);
        var proof = new JsonObject();
        string? disagreement = null;
        foreach (var package in expected.GroupBy(assembly => (assembly.Package, assembly.Version)))
        {
            var seen = package.Select(assembly => (Assembly: assembly, Is: loaded.GetValueOrDefault(assembly.Name)))
                .Where(pair => pair.Is is not null).ToList();
            if (seen.Find(pair => pair.Is != pair.Assembly.Says
                && pair.Is != pair.Assembly.Number) is { Is: { } other, Assembly: { } wrong })
            {
                disagreement ??= $"planned package {wrong.Package} {wrong.Version}, whose {wrong.Name} is {Quote.Of(wrong.Says, 100)}; "
                    + $"it loaded {Quote.Of(other, 100)}";
            }

            proof[package.Key.Package] = new JsonObject
            {
                ["planned"] = package.Key.Version,
                ["is"] = seen is [var first, ..] ? Quote.Of(first.Is!, 100) : null,
            };
        }

        return (disagreement, proof);
    }

    private static Dictionary<string, string> Loaded(JsonObject reported)
    {
        var loaded = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var assembly in reported["assemblies"] is JsonArray assemblies ? assemblies.OfType<JsonObject>() : [])
        {
            if (Text(assembly["name"]) is { } name && Text(assembly["version"]) is { } version)
            {
                loaded[name] = version;
            }
        }

        return loaded;
    }

    private static string? Text(JsonNode? node) => node is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;
}
