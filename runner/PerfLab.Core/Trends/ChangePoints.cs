using System.Runtime.InteropServices;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Trends;

/// <summary>A place where the level of a series changes.</summary>
/// <param name="Index">The first point after it.</param>
/// <param name="PValue">Chance that a series without a change has one this clear.</param>
/// <param name="Size">Level after less level before: in log units, + is worse.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct ChangePoint(int Index, double PValue, double Size);

/// <summary>
/// Where the level of a series changes, from the oldest to the newest: one in a hundred series without a change has any
/// (docs/internals/statistics-method.md, "Trend details"). A value that is no number is passed over, as if it had not been measured.
/// </summary>
public static class ChangePoints
{
    /// <summary>Of ratios against an anchor. Fewer than <see cref="StepRule.LeastPoints"/> are searched for one change, by rank-CUSUM.</summary>
    /// <param name="values">The series, in log units.</param>
    /// <param name="known">
    /// Changes that are certain, with their p: the series is cut there first, and what lies between has noise of its own.
    /// </param>
    public static IReadOnlyList<ChangePoint> Of(ReadOnlySpan<double> values, IReadOnlyList<(int Index, double PValue)>? known = null) =>
        Of(values, StepRule.Ratios, known ?? []);

    /// <summary>Of raw values, one commit after another: none where there are fewer than 60.</summary>
    public static IReadOnlyList<ChangePoint> OfRaw(ReadOnlySpan<double> values) => Of(values, StepRule.Raw, []);

    /// <summary>The median: the level of a part.</summary>
    public static double Level(ReadOnlySpan<double> part) => Median.Of(part.ToArray());

    private static List<ChangePoint> Of(ReadOnlySpan<double> all, StepRule rule, IReadOnlyList<(int Index, double PValue)> known)
    {
        var (values, places) = Numbers(all);
        var certain = known.Select(change => (Index: places.Count(place => place < change.Index), change.PValue))
            .Where(change => change.Index > 0 && change.Index < values.Length)
            .DistinctBy(change => change.Index).OrderBy(change => change.Index).ToList();
        List<int> cuts = certain.ConvertAll(change => change.Index);
        var found = values.Length < StepRule.Ratios.LeastPoints && rule == StepRule.Ratios ? Short(values, cuts)
            : StepSearch.Of(values, rule, cuts).ConvertAll(step => (step.Index, PValue: rule.PValue(step.Strength, values.Length)));
        var changes = new List<ChangePoint>(found.Count);
        foreach (var (at, change) in found.Index())
        {
            var (from, to) = (at == 0 ? 0 : found[at - 1].Index, at + 1 == found.Count ? values.Length : found[at + 1].Index);
            var chance = cuts.IndexOf(change.Index) is >= 0 and var one ? certain[one].PValue : change.PValue;
            var size = Level(values.AsSpan(change.Index..to)) - Level(values.AsSpan(from..change.Index));
            changes.Add(new(places[change.Index], chance, size));
        }

        return changes;
    }

    /// <summary>Too few points for two changes, and for the bound of longer series.</summary>
    private static List<(int Index, double PValue)> Short(double[] values, List<int> cuts)
    {
        int[] ends = [0, .. cuts, values.Length];
        var found = cuts.ConvertAll(cut => (Index: cut, PValue: 0.0));
        foreach (var (from, to) in ends.Zip(ends.Skip(1)))
        {
            if (RankCusum.Change(values.AsSpan(from..to)) is { } change)
            {
                found.Add((from + change.Place, change.PValue));
            }
        }

        found.Sort();
        return found;
    }

    /// <summary>What was measured, and where it stood.</summary>
    private static (double[] Values, int[] Places) Numbers(ReadOnlySpan<double> all)
    {
        var (values, places) = (new List<double>(all.Length), new List<int>(all.Length));
        for (var at = 0; at < all.Length; at++)
        {
            if (double.IsFinite(all[at]))
            {
                values.Add(all[at]);
                places.Add(at);
            }
        }

        return ([.. values], [.. places]);
    }
}
