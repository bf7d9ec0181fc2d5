using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Runner.Flow;

/// <summary>
/// Holds `--same-il` to its word: arms that differ in nothing but their runtime must hold the same IL, by hash. An arm that does not is not
/// launched, because more than the runtime would have changed.
/// </summary>
internal static class SameIl
{
    public static ArmBuilds Check(RunPlan plan, ArmBuilds builds)
    {
        if (!plan.SameIl)
        {
            return builds;
        }

        var held = new Dictionary<(string Cell, string Arm), BuildResult>(builds.Results);
        foreach (var cell in plan.Cells.Where(cell => cell.Unavailable is null))
        {
            var built = cell.Arms.Where(arm => arm.Recipe.Kind == BuildKind.Dotnet && builds[cell.Id, arm.Id].Build is not null);
            foreach (var twins in built.GroupBy(arm => RecipeKey.Of(arm.Recipe with { RuntimePatch = null }), StringComparer.Ordinal))
            {
                var first = twins.First();
                foreach (var arm in twins.Skip(1))
                {
                    if (Difference(builds[cell.Id, first.Id].Build!, builds[cell.Id, arm.Id].Build!) is { } difference)
                    {
                        held[(cell.Id, arm.Id)] = new(null, null, $"--same-il was asked for, but {difference} in arm '{first.Id}': more than the runtime would differ.");
                    }
                }
            }
        }

        return new(held);
    }

    private static string? Difference(Build one, Build other)
    {
        if (one.Identity == other.Identity)
        {
            return null;
        }

        var (left, right) = (IlIdentity.Assemblies(one.Folder), IlIdentity.Assemblies(other.Folder));
        var different = left.Keys.Union(right.Keys, StringComparer.Ordinal)
            .Where(name => left.GetValueOrDefault(name) != right.GetValueOrDefault(name)).Order(StringComparer.Ordinal).ToList();
        return different.Count > 0 ? $"{string.Join(", ", different)} {(different.Count == 1 ? "is" : "are")} not the same as"
            : left.Count == 0 ? "no assembly was found that could be held against those" : null;
    }
}
