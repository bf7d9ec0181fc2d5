using PerfLab.Core.Model;
using PerfLab.Core.Trends;

namespace PerfLab.Calibration.Published;

/// <summary>A way to find where a series changes.</summary>
/// <param name="Name">As it stands in a table.</param>
/// <param name="Find">From a series to its changes, oldest first: each the first point after it, counted from 0.</param>
public sealed record Way(string Name, Func<double[], IReadOnlyList<int>> Find);

/// <summary>
/// Ours for raw values, and own short versions of E-divisive with means (Matteson and James 2014) and of a t-test of the twelve
/// points before and after (as Mozilla's Perfherder looks).
/// </summary>
public static class Ways
{
    private const double Level = 0.01;
    private const int Permutations = 399;

    /// <summary>Points on each side of the t-test, and the t that counts as a change.</summary>
    private const int Window = 12;
    private const double LeastT = 7;

    /// <summary>Fewer points on a side of a cut are not looked at.</summary>
    private const int LeastPart = 2;

    /// <param name="seed">Of E-divisive's permutations.</param>
    public static IReadOnlyList<Way> All(ulong seed) =>
        [new("ours, 1 %", Ours), new("E-divisive", values => Divided(values, seed)), new("t-test", Tested)];

    private static List<int> Ours(double[] values) => [.. ChangePoints.OfRaw(values).Select(change => change.Index)];

    private static List<int> Divided(double[] values, ulong seed)
    {
        var (found, random) = (new List<int>(), SeededRandom.For(seed, "E-divisive"));
        var open = new Stack<(int First, int End)>([(0, values.Length)]);
        while (open.TryPop(out var part))
        {
            var inside = values[part.First..part.End];
            if (inside.Length < 2 * LeastPart)
            {
                continue;
            }

            var (place, distance) = Farthest(inside);
            var above = Enumerable.Range(0, Permutations).Count(_ => Farthest([.. random.Shuffle(inside)]).Distance >= distance);
            if ((double)(above + 1) / (Permutations + 1) <= Level)
            {
                found.Add(part.First + place);
                open.Push((part.First, part.First + place));
                open.Push((part.First + place, part.End));
            }
        }

        return [.. found.Order()];
    }

    /// <summary>The cut whose two sides are farthest apart by their energy distance, and that distance.</summary>
    private static (int Place, double Distance) Farthest(double[] values)
    {
        var count = values.Length;
        // Sums of distances within the left side, within the right one, and between the two, as the cut moves on by a point.
        var (left, right, between) = (0.0, 0.0, 0.0);
        for (var one = 0; one < count; one++)
        {
            for (var other = one + 1; other < count; other++)
            {
                right += Math.Abs(values[one] - values[other]);
            }
        }

        var (place, most) = (0, double.NegativeInfinity);
        for (var cut = 1; cut <= count - LeastPart; cut++)
        {
            var (toLeft, toRight) = (0.0, 0.0);
            for (var at = 0; at < count; at++)
            {
                var apart = Math.Abs(values[at] - values[cut - 1]);
                (toLeft, toRight) = at < cut - 1 ? (toLeft + apart, toRight) : (toLeft, toRight + apart);
            }

            (left, right, between) = (left + toLeft, right - toRight, between - toLeft + toRight);
            double before = cut, after = count - cut;
            var distance = cut < LeastPart ? double.NegativeInfinity : before * after / (before + after)
                * ((2 * between / (before * after)) - (2 * left / (before * (before - 1))) - (2 * right / (after * (after - 1))));
            (place, most) = distance > most ? (cut, distance) : (place, most);
        }

        return (place, most);
    }

    private static List<int> Tested(double[] values)
    {
        double[] t =
        [
            .. Enumerable.Range(0, values.Length).Select(at => at < Window || at + Window > values.Length ? 0
                : T(values[(at - Window)..at], values[at..(at + Window)])),
        ];
        // Of neighbours that are all above, the highest.
        return
        [
            .. Enumerable.Range(0, t.Length)
                .Where(at => t[at] > LeastT && t[Math.Max(0, at - Window)..Math.Min(t.Length, at + Window + 1)].Max() == t[at]),
        ];
    }

    private static double T(double[] before, double[] after)
    {
        var (one, other) = (before.Average(), after.Average());
        var variance = before.Sum(value => Math.Pow(value - one, 2)) + after.Sum(value => Math.Pow(value - other, 2));
        return Math.Abs(one - other) / Math.Sqrt(Math.Max(variance, 1e-300) / ((2 * Window) - 2) * 2 / Window);
    }
}
