using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching.Proof;

/// <summary>Holds the launches of one round against each other: base and head must have run under the same conditions in everything that the plan does not vary.</summary>
public static class EqualConditions
{
    /// <summary>Evidence that must be the same, and the dimension that explains a difference where it is compared.</summary>
    private static readonly (string Path, string? Dimension)[] Same =
    [
        ("processors", LimitDimensions.Cpus),
        ("framework", "runtime"),
        ("gcServer", "gc"),
        ("outside.cpus", LimitDimensions.Cpus),
        ("outside.node", null),
        ("outside.sandbox", null),
        ("outside.container", null),
        ("outside.inside", null),
        ($"outside.{LimitEvidence.Cores}", LimitDimensions.Cpus),
        ($"outside.{LimitEvidence.Memory}", LimitDimensions.Memory),
    ];

    /// <summary>The first difference as a sentence, or null. What one of the two does not report can't differ.</summary>
    public static string? Difference(PlannedCell cell, Launch launch, Launch other)
    {
        var varied = cell.Arms.SelectMany(arm => arm.Dimensions.Keys).ToHashSet(StringComparer.Ordinal);
        varied.ExceptWith(LimitDimensions.Names); // a parameter of the workload may be called so
        varied.UnionWith(cell.Arms.Where(arm => arm.Limits?.Cpus is not null).Select(_ => LimitDimensions.Cpus));
        varied.UnionWith(cell.Arms.Where(arm => arm.Limits?.MemoryBytes is not null).Select(_ => LimitDimensions.Memory));
        var hasOwnCores = varied.Contains(LimitDimensions.Cpus);
        foreach (var (path, dimension) in Same.Where(same => same.Dimension is null || !varied.Contains(same.Dimension)))
        {
            if (Find(launch.Evidence, path, hasOwnCores) is { } mine && Find(other.Evidence, path, hasOwnCores) is { } theirs
                && !JsonNode.DeepEquals(mine, theirs))
            {
                return $"it did not run under the same conditions as {other.Arm} in the same round: {path} is {mine.ToJsonString()}, there {theirs.ToJsonString()}";
            }
        }

        return null;
    }

    private static JsonNode? Find(JsonObject evidence, string path, bool hasOwnCores)
    {
        var found = path.Split('.').Aggregate((JsonNode?)evidence, (node, name) => (node as JsonObject)?[name]);
        if (!hasOwnCores || found is not JsonObject inside)
        {
            return found;
        }

        var rest = (JsonObject)inside.DeepClone();
        rest.Remove("cpus"); // of what the kernel says inside of the cage
        return rest;
    }
}
