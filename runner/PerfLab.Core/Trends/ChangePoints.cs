using System.Runtime.InteropServices;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Trends;

/// <summary>A place where the level of a series changes.</summary>
/// <param name="Index">The first point after it.</param>
/// <param name="PValue">Chance of a statistic this large when nothing changed in the part that was cut here.</param>
/// <param name="Size">Level after less level before, in log units: + is worse.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct ChangePoint(int Index, double PValue, double Size);

/// <summary>Cuts a series where its level changes: rank-CUSUM and binary segmentation (docs/statistics-method.md, "Trend details").</summary>
public static class ChangePoints
{
    /// <summary>All of them, from the oldest to the newest.</summary>
    /// <param name="values">The series.</param>
    /// <param name="level">Share of series without a change in which one is seen.</param>
    /// <param name="known">
    /// Changes that are certain, with their p: the series is cut there first. A level that went up and came back hides both steps from a
    /// test that looks for one.
    /// </param>
    public static IReadOnlyList<ChangePoint> Of(
        ReadOnlySpan<double> values, double level = RankCusum.Level, IReadOnlyList<(int Index, double PValue)>? known = null)
    {
        var count = values.Length;
        List<(int Index, double PValue)> found =
        [
            .. (known ?? []).Where(change => change.Index > 0 && change.Index < count).DistinctBy(change => change.Index)
                .OrderBy(change => change.Index),
        ];
        int[] cuts = [0, .. found.Select(change => change.Index), count];
        var open = new Stack<(int First, int End)>(cuts.Zip(cuts.Skip(1)));
        while (open.TryPop(out var part))
        {
            var inside = values[part.First..part.End];
            if (RankCusum.Change(inside, level) is not { } change)
            {
                continue;
            }

            found.Add((part.First + change.Place, change.PValue));
            open.Push((part.First, part.First + change.Place));
            open.Push((part.First + change.Place, part.End));
        }

        found.Sort((one, other) => one.Index.CompareTo(other.Index));
        var changes = new ChangePoint[found.Count];
        for (var at = 0; at < changes.Length; at++)
        {
            var (from, to) = (at == 0 ? 0 : found[at - 1].Index, at + 1 == changes.Length ? values.Length : found[at + 1].Index);
            var place = found[at].Index;
            changes[at] = new(place, found[at].PValue, Level(values[place..to]) - Level(values[from..place]));
        }

        return changes;
    }

    /// <summary>The median: the level of a part.</summary>
    public static double Level(ReadOnlySpan<double> part) => Median.Of(part.ToArray());
}
