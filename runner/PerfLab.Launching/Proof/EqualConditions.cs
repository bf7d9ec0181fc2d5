using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching.Proof;

/// <summary>Holds the launches of one round against each other: base and head must have run under the same conditions in everything that the plan does not vary.</summary>
public static class EqualConditions
{
    /// <summary>Evidence that must be the same, and the dimension that explains a difference where it is compared.</summary>
    private static readonly (string Path, string? Dimension)[] Same =
    [
        ("processors", null),
        ("framework", "runtime"),
        ("gcServer", "gc"),
        ("outside.cpus", null),
        ("outside.node", null),
        ("outside.sandbox", null),
        ("outside.container", null),
        ("outside.inside", null),
    ];

    /// <summary>The first difference as a sentence, or null. What one of the two does not report can't differ.</summary>
    public static string? Difference(PlannedCell cell, Launch launch, Launch other)
    {
        var varied = cell.Arms.SelectMany(arm => arm.Dimensions.Keys).ToHashSet(StringComparer.Ordinal);
        foreach (var (path, dimension) in Same.Where(same => same.Dimension is null || !varied.Contains(same.Dimension)))
        {
            if (Find(launch.Evidence, path) is { } mine && Find(other.Evidence, path) is { } theirs && !JsonNode.DeepEquals(mine, theirs))
            {
                return $"it did not run under the same conditions as {other.Arm} in the same round: {path} is {mine.ToJsonString()}, there {theirs.ToJsonString()}";
            }
        }

        return null;
    }

    private static JsonNode? Find(JsonObject evidence, string path) =>
        path.Split('.').Aggregate((JsonNode?)evidence, (node, name) => (node as JsonObject)?[name]);
}
