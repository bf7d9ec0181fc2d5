using PerfLab.Core.Model;
using PerfLab.Core.Trends;
using static System.FormattableString;

namespace PerfLab.Calibration;

/// <summary>Simulates what <see cref="StepRule.Bound"/> and <see cref="StepRule.Fall"/> stand for: the largest z at which a series without a step still has one.</summary>
public static class StepBounds
{
    private static readonly int[] Counts = [13, 30, 100, 365];

    /// <summary>For each rule and shape what one series in a hundred exceeds, and one in a thousand, by the number of points.</summary>
    public static IEnumerable<string> Lines(Run run)
    {
        yield return $"| series | noise | {string.Join(" | ", Counts.Select(count => Invariant($"{count} points")))} |";
        yield return $"|---|---|{string.Concat(Counts.Select(_ => "---|"))}";
        foreach (var (name, rule) in new[] { ("ratios", StepRule.Ratios), ("raw values", StepRule.Raw) })
        {
            foreach (var shape in NoiseShapes.All)
            {
                var cells = Counts.Select(count => Of(run, rule, shape, count)).Select(one => Invariant($"{one.Bound:0.00}, {one.Rare:0.00}"));
                yield return $"| {name} | {shape} | {string.Join(" | ", cells)} |";
            }

            yield return $"| {name} | the rule's | {string.Join(" | ", Counts.Select(count => Invariant($"{rule.Bound(count):0.00}, {Rare(rule, count):0.00}")))} |";
        }
    }

    /// <summary>Where the rule's p is one in a thousand.</summary>
    private static double Rare(StepRule rule, int count) => Math.Sqrt(Math.Pow(rule.Bound(count), 2) + (StepRule.Fall * Math.Log(10)));

    private static (double Bound, double Rare) Of(Run run, StepRule rule, NoiseShape shape, int count)
    {
        // A long series takes longer by the square of its points.
        var runs = run.Size.Comparisons * 100 / Math.Max(100, count);
        var largest = new double[runs];
        Parallel.For(0, runs, number =>
        {
            var random = SeededRandom.For(run.Seed, Invariant($"step bounds {shape} {count} {number}"));
            double[] values = [.. Enumerable.Range(0, count).Select(_ => shape.Launch(random))];
            var (low, high) = (1.0, 8.0);
            while (high - low > 0.01)
            {
                var middle = (low + high) / 2;
                var any = StepSearch.Of(values, rule with { Least = middle, PerLog = 0, LeastPoints = 1 }, []).Count > 0;
                (low, high) = any ? (middle, high) : (low, middle);
            }

            largest[number] = low;
        });
        Array.Sort(largest);
        return (largest[(int)(runs * 0.99) - 1], largest[(int)(runs * 0.999) - 1]);
    }
}
