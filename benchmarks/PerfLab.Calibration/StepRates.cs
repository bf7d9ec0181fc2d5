using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Trends;
using static System.FormattableString;

namespace PerfLab.Calibration;

/// <summary>
/// The search for steps on one look, for ratios and for raw values: G13, how often a series without a step is said to have one; G14, how
/// many steps are found; G15, how long one takes to be seen. Sizes are in standard deviations of normal noise.
/// </summary>
public static class StepRates
{
    private const string NoAim = "no aim: for comparison";

    /// <summary>A place so far from the step is that step.</summary>
    private const int Margin = 5;

    /// <summary>Points after a step, at the end of which it counts as not seen.</summary>
    private const int LastLook = 40;

    private delegate IReadOnlyList<ChangePoint> Search(double[] values);

    private static readonly (string Name, Search Of, int Least)[] Searches =
        [("ratios", values => ChangePoints.Of(values), 1), ("raw values", values => ChangePoints.OfRaw(values), StepRule.Raw.LeastPoints)];

    public static IEnumerable<FigureRow> False(Run run) =>
        from search in Searches
        from points in new[] { 13, 30, 100, 365 }
        where points >= search.Least
        from kind in Kinds
        let name = Invariant($"{search.Name}, {kind.Name}, {points} points: a step is seen")
        select Row(run, "G13", name, random => search.Of(kind.Draw(random, points)).Count > 0, most: kind.IsIndependent ? 1.5 : null);

    public static IEnumerable<FigureRow> Found(Run run)
    {
        foreach (var (search, of, least) in Searches)
        {
            foreach (var (points, size) in from points in new[] { 30, 60, 100, 365 } where points >= least from size in new[] { 1, 1.5, 2, 3 } select (points, size))
            {
                yield return Row(run, "G14", Invariant($"{search}, {points} points, {size} sd from the middle on: found"),
                    random => Has(of(Up(random, points, size, points / 2, points)), points / 2));
            }

            foreach (var length in new[] { 4, 6, 8, 12 })
            {
                yield return Row(run, "G14", Invariant($"{search}, 100 points, 4 sd up for {length} points and back: both places found"),
                    random => of(Up(random, 100, 4, 50, 50 + length)) is var found && Has(found, 50) && Has(found, 50 + length)
                        && found.Count > 1, least: search == "ratios" ? 95 : null);
            }
        }
    }

    public static IEnumerable<FigureRow> Seen(Run run)
    {
        foreach (var (search, of, least) in Searches)
        {
            foreach (var (before, size) in from before in new[] { 30, 100 } where before >= least from size in new[] { 2, 3 } select (before, size))
            {
                var name = Invariant($"{search}, {size} sd after {before} points, a look at every point: points until it is seen");
                // Counted by delay; the last counter are those that were not seen.
                var delays = SeededRuns.Sum(run.Repeat($"G15 {name}", run.Size.Comparisons / 10, LastLook + 1), () => (random, counters) =>
                {
                    var values = Up(random, before + LastLook, size, before, before + LastLook);
                    var after = 1;
                    while (after <= LastLook && !Has(of(values[..(before + after)]), before))
                    {
                        after++;
                    }

                    counters[after - 1]++;
                });
                foreach (var (word, share) in new[] { ("median", 0.5), ("nine in ten", 0.9) })
                {
                    var (sum, after) = (delays[0], 1);
                    while (sum < share * delays.Sum())
                    {
                        sum += delays[after++];
                    }

                    yield return new("G15", $"{name}, {word}", NoAim, after > LastLook ? double.PositiveInfinity : after, null, true);
                }
            }
        }
    }

    private static readonly Kind[] Kinds =
    [
        .. NoiseShapes.All.Select(shape => new Kind(shape.ToString(), IsIndependent: true,
            (random, points) => [.. Enumerable.Range(0, points).Select(_ => shape.Launch(random))])),
        .. new[] { 0.3, 0.6, 0.9 }.Select(likeness => new Kind(Invariant($"AR({likeness})"), IsIndependent: false,
            (random, points) => Alike(random, points, likeness))),
    ];

    /// <summary>A first-order autoregression that has been going on for a while.</summary>
    private static double[] Alike(SeededRandom random, int points, double likeness)
    {
        var values = new double[points + 100];
        for (var at = 0; at < values.Length; at++)
        {
            values[at] = random.NextNormal() + (at == 0 ? 0 : likeness * values[at - 1]);
        }

        return values[100..];
    }

    private static double[] Up(SeededRandom random, int points, double size, int from, int to) =>
        [.. Enumerable.Range(0, points).Select(at => random.NextNormal() + (at >= from && at < to ? size : 0))];

    private static bool Has(IReadOnlyList<ChangePoint> found, int place) => found.Any(change => Math.Abs(change.Index - place) <= Margin);

    private static FigureRow Row(Run run, string figure, string name, Func<SeededRandom, bool> happens, double? most = null, double? least = null)
    {
        var runs = run.Size.Comparisons / 4;
        var count = (int)SeededRuns.Sum(run.Repeat($"{figure} {name}", runs, tallies: 1), () => (random, counters) => counters[0] += happens(random) ? 1 : 0)[0];
        var (interval, rate) = (ClopperPearson.Interval(count, runs), 100.0 * count / runs);
        var (low, high) = run.Size == Size.Full ? (rate, rate) : (100 * interval.Low, 100 * interval.High);
        var aim = most is not null ? Invariant($"<= {most} %") : least is not null ? Invariant($">= {least} %") : NoAim;
        return new(figure, name, aim, rate, most is null ? null : 100 * interval.High, !(low > most) && !(high < least));
    }

    private sealed record Kind(string Name, bool IsIndependent, Func<SeededRandom, int, double[]> Draw);
}
