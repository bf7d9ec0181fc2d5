using System.Runtime.InteropServices;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Trends;

/// <summary>
/// Levels by least squares, then proof by ranks. The price of a cut is what the proof asks for in units of the noise, so cuts that can't be
/// proven are few; one wild value makes a cut, but no rank-sum. Nothing in it is random.
/// </summary>
public static class StepSearch
{
    /// <summary>Neighbours are taken to be no more alike than this: in a smooth trend nothing can be proven.</summary>
    public const double MostAlike = 0.95;

    /// <summary>Steps, rising, each with its strength.</summary>
    /// <param name="values">The series: numbers.</param>
    /// <param name="rule">What it is.</param>
    /// <param name="certain">Places that are steps whatever the values say, rising; they are among what is returned.</param>
    public static List<Step> Of(ReadOnlySpan<double> values, StepRule rule, IReadOnlyList<int> certain)
    {
        int[] ends = [0, .. certain, values.Length];
        List<Step> steps = [.. certain.Select(place => new Step(place, double.PositiveInfinity))];
        var noise = Noise(values, ends);
        if (values.Length < rule.LeastPoints || noise == 0)
        {
            return steps;
        }

        var likeness = rule.MeasuresLikeness ? Likeness(values) : 0;
        // The long-run noise of a first-order autoregression, in units of that of its values.
        var longer = Math.Sqrt((1 + likeness) / (1 - likeness));
        var bound = rule.Bound(values.Length);
        var price = bound * bound * noise / (1 - likeness) * longer * longer;
        foreach (var (from, to) in ends.Zip(ends.Skip(1)))
        {
            steps.AddRange(StepFunction.Cuts(values[from..to], price).Select(cut => new Step(from + cut, 0)));
        }

        steps.Sort((one, other) => one.Index.CompareTo(other.Index));
        for (var at = 0; at < steps.Count; at++)
        {
            Prove(values, steps, at, rule.Reach, longer);
        }

        while (steps.Count > 0 && steps.MinBy(step => step.Strength) is var weakest && weakest.Strength < bound)
        {
            var at = steps.IndexOf(weakest);
            steps.RemoveAt(at);
            Prove(values, steps, at - 1, rule.Reach, longer);
            Prove(values, steps, at, rule.Reach, longer);
        }

        return steps;
    }

    /// <summary>The rank-sum of the points before and after, no further than the next step.</summary>
    private static void Prove(ReadOnlySpan<double> values, List<Step> steps, int at, int reach, double longer)
    {
        if (at < 0 || at >= steps.Count || double.IsInfinity(steps[at].Strength))
        {
            return;
        }

        var (from, place, to) = (at == 0 ? 0 : steps[at - 1].Index, steps[at].Index, at + 1 == steps.Count ? values.Length : steps[at + 1].Index);
        var (before, after) = (Math.Min(reach, place - from), Math.Min(reach, to - place));
        steps[at] = new(place, RankSum.Z(values.Slice(place - before, before), values.Slice(place, after)) / longer);
    }

    /// <summary>
    /// Variance of independent noise, by the squares of successive differences (von Neumann, "Distribution of the ratio of the mean square
    /// successive difference to the variance", 1941). Squares and not medians: beside a spike a small step counts for less, as for people.
    /// </summary>
    private static double Noise(ReadOnlySpan<double> values, int[] ends)
    {
        var (sum, pairs) = (0.0, 0);
        for (var part = 1; part < ends.Length; part++)
        {
            for (var at = ends[part - 1] + 1; at < ends[part]; at++, pairs++)
            {
                var apart = values[at] - values[at - 1];
                sum += apart * apart;
            }
        }

        return pairs == 0 ? 0 : sum / pairs / 2;
    }

    /// <summary>
    /// How alike neighbours are, as the coefficient of a first-order autoregression: differences over two points are larger than over one
    /// by the root of one more than it. By medians, which steps and spikes hardly touch.
    /// </summary>
    private static double Likeness(ReadOnlySpan<double> values)
    {
        var (one, two) = (Apart(values, 1), Apart(values, 2));
        return one > 0 ? Math.Clamp((two / one * (two / one)) - 1, 0, MostAlike) : 0;
    }

    private static double Apart(ReadOnlySpan<double> values, int lag)
    {
        var apart = new double[values.Length - lag];
        for (var at = 0; at < apart.Length; at++)
        {
            apart[at] = Math.Abs(values[at + lag] - values[at]);
        }

        return Median.Of(apart);
    }

    /// <summary>A step of the level.</summary>
    /// <param name="Index">The first point after it.</param>
    /// <param name="Strength">z of its proof; infinite where it is certain.</param>
    [StructLayout(LayoutKind.Auto)]
    public readonly record struct Step(int Index, double Strength);
}
