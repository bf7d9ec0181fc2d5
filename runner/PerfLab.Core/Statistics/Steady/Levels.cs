using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Steady;

/// <summary>Cuts a series where its level changes (binary segmentation), and finds from where on it stays at the last level.</summary>
public static class Levels
{
    /// <summary>Levels closer than this are one: a change of a launch's rate below the practical margin of a verdict can't matter.</summary>
    public const double LeastChange = 0.01;

    /// <summary>The first value of every part but the first, rising.</summary>
    public static IReadOnlyList<int> Changes(ReadOnlySpan<double> values)
    {
        var changes = new SortedSet<int>();
        var open = new Stack<(int First, int End)>([(0, values.Length)]);
        while (open.TryPop(out var part))
        {
            if (RankCusum.Change(values[part.First..part.End]) is { } place)
            {
                changes.Add(part.First + place);
                open.Push((part.First, part.First + place));
                open.Push((part.First + place, part.End));
            }
        }

        return [.. changes];
    }

    /// <summary>The first value of the last level: 0 when no change that matters was found.</summary>
    public static int Last(ReadOnlySpan<double> values)
    {
        int[] starts = [0, .. Changes(values)];
        var last = Level(values[starts[^1]..]);
        var first = starts.Length - 1;
        while (first > 0 && Math.Abs(Level(values[starts[first - 1]..starts[first]]) - last) <= LeastChange * last)
        {
            first--;
        }

        return starts[first];
    }

    private static double Level(ReadOnlySpan<double> values) => Median.Of(values.ToArray());
}
