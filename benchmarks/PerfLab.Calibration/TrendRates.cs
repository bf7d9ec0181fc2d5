using PerfLab.Calibration.Years;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Trends;

namespace PerfLab.Calibration;

/// <summary>
/// G6, how often a series without a change is said to have one while it grows, and how well a place is found; G7, how long a change takes to be seen;
/// G8, whole years of a lab with everything that is put in known.
/// </summary>
public static class TrendRates
{
    /// <summary>Of a point, in log units.</summary>
    private const double Noise = 0.01;

    /// <summary>Points of the first look and of the last, and between two looks: eleven looks.</summary>
    private const int FirstLook = 30, LastLook = 100, BetweenLooks = 7;

    /// <summary>Changes a year of which one series alone is mended.</summary>
    private const int HalfMended = 4;

    /// <summary>The last point before the step.</summary>
    private const int Step = 60;

    public static IEnumerable<FigureRow> False(Run run) =>
        from level in new[] { 0.01, 0.001 }
        from shape in NoiseShapes.All
        select FalseRow(run, shape, level);

    public static IEnumerable<FigureRow> Delays(Run run)
    {
        yield return Place(run);
        foreach (var (size, most) in new[] { (0.05, 4), (0.02, 6) })
        {
            yield return DelayRow(run, size, most);
        }
    }

    public static IEnumerable<FigureRow> Years(Run run)
    {
        var years = Math.Max(1, run.Size.PowerComparisons / 100);
        var results = Enumerable.Range(0, years).AsParallel().AsOrdered().Select(year => Year.Replay(new() { Seed = run.Seed + (ulong)year })).ToList();
        var host = results.SelectMany(year => year.Outcomes).Where(one => one.Known.Machine is not null).ToList();
        var code = results.SelectMany(year => year.Outcomes).Where(one => one.Known.Machine is null).ToList();
        var name = FormattableString.Invariant($"{years} years of 200 series, 52 weekly sessions");
        yield return new("G8", $"{name}: false issues a year", "<= 1", results.Average(year => year.FalseIssues), null, results.Average(year => year.FalseIssues) <= 1);
        yield return new("G8", $"{name}: steps of a machine filed as an issue, a year", "<= 1", results.Average(year => year.FiledHostSteps), null, results.Average(year => year.FiledHostSteps) <= 1);
        var (labelled, share) = (host.Count(one => one.FoundAfter is not null), (double)host.Count(one => one.FoundAfter is not null) / host.Count);
        var interval = ClopperPearson.Interval(labelled, host.Count);
        yield return new("G8", $"{name}: steps of a machine called the machine's", ">= 90 %", 100 * share, 100 * interval.Low, (run.Size == Size.Full ? share : interval.High) >= 0.9);
        double[] delays = [.. code.Select(one => one.FoundAfter).OfType<int>().Select(delay => (double)delay)];
        yield return new("G8", $"{name}: commits of 1.5 to 10 % that were confirmed", "no aim: for comparison", 100.0 * delays.Length / code.Count, null, true);
        yield return new("G8", $"{name}: sessions until a commit is confirmed, median", "no aim: for comparison", delays.Length == 0 ? double.NaN : Median.Of(delays), null, delays.Length > 0);
        foreach (var row in Closings(run, years))
        {
            yield return row;
        }
    }

    /// <summary>
    /// The same years with <see cref="HalfMended"/> more changes in several series, of which one alone is mended: what closes an issue, and
    /// what must not.
    /// </summary>
    private static IEnumerable<FigureRow> Closings(Run run, int years)
    {
        var results = Enumerable.Range(0, years).AsParallel().AsOrdered()
            .Select(year => Year.Replay(new() { Seed = run.Seed + (ulong)year, PartialFixes = HalfMended })).ToList();
        var mended = results.SelectMany(year => year.Outcomes.Where(one => one.Known.TakesBack is { } earlier
            && one.FoundAfter is not null && year.Outcomes[earlier] is { FoundAfter: not null } change
            && change.Known.Series.Count == one.Known.Series.Count)).ToList();
        var closed = mended.Count(one => one.CalledRecovered);
        const string NoAim = "no aim: for comparison";
        var name = FormattableString.Invariant($"{years} years of 200 series, in each {HalfMended} changes of several series of which one ")
            + "is mended";
        yield return new("G8", $"{name}: mended whole, both confirmed, and closed", NoAim, 100.0 * closed / mended.Count, null, true);
        var falsely = results.Average(year => year.FalselyClosed);
        yield return new(
            "G8", $"{name}: issues closed while a series of theirs was still slow, a year", "<= 1", falsely, null, falsely <= 1);
        var (slow, told) = (results.Sum(year => year.StillSlow), results.Sum(year => year.StillTold));
        yield return new(
            "G8", $"{name}: series that are still slow at the end and in an open issue", NoAim, 100.0 * told / slow, null, true);
    }

    private static FigureRow FalseRow(Run run, NoiseShape shape, double level)
    {
        var name = FormattableString.Invariant($"{shape}, 11 looks at a series that grows from 30 to 100 points, level {level}");
        var found = (int)SeededRuns.Sum(run.Repeat($"G6 {name}", run.Size.Comparisons, tallies: 1), () => (random, counters) =>
        {
            var values = Series(shape, random, 0);
            for (var points = FirstLook; points <= LastLook; points += BetweenLooks)
            {
                if (ChangePoints.Of(values.AsSpan(0, points)).Any(change => change.PValue <= level))
                {
                    counters[0]++;
                    break;
                }
            }
        })[0];
        var (interval, aim) = (ClopperPearson.Interval(found, run.Size.Comparisons), level == 0.01 ? 0.06 : 0.01);
        var rate = (double)found / run.Size.Comparisons;
        return new("G6", name, FormattableString.Invariant($"<= {100 * aim} %"), 100 * rate, 100 * interval.High, (run.Size == Size.Full ? rate : interval.Low) <= aim);
    }

    private static FigureRow Place(Run run)
    {
        var sums = SeededRuns.Sum(run.Repeat("G6 place", run.Size.Comparisons, tallies: 2), () => (random, counters) =>
        {
            var near = ChangePoints.Of(Series(NoiseShape.Normal, random, 2 * Noise)).Where(change => Math.Abs(change.Index - Step) <= 5).ToList();
            if (near.Count > 0)
            {
                counters[0]++;
                counters[1] += near.Min(change => Math.Abs(change.Index - Step));
            }
        });
        var error = (double)sums[1] / sums[0];
        return new("G6", "place of a step of twice the noise at point 60 of 100: points off, mean", "<= 1", error, null, error <= 1);
    }

    private static FigureRow DelayRow(Run run, double size, int most)
    {
        var name = FormattableString.Invariant($"+{100 * size} % at a noise of 1 % after 60 points, a look at every point: points until it is seen, median");
        // Counted by delay; the last counter are those that were not seen.
        var delays = SeededRuns.Sum(run.Repeat($"G7 {name}", run.Size.Comparisons, tallies: LastLook - Step + 1), () => (random, counters) =>
        {
            var values = Series(NoiseShape.Normal, random, Math.Log(1 + size));
            var points = Step + 1;
            while (points <= LastLook && !ChangePoints.Of(values.AsSpan(0, points)).Any(change => Math.Abs(change.Index - Step) <= 5))
            {
                points++;
            }

            counters[points - Step - 1]++;
        });
        var (median, sum) = (0, delays[0]);
        while (2 * sum < run.Size.Comparisons)
        {
            sum += delays[++median];
        }

        return new("G7", name, FormattableString.Invariant($"<= {most}"), median + 1, null, median + 1 <= most, KnownMiss: size > 0.04);
    }

    /// <summary>A point is a centre of a session's rounds, and against an anchor: what the machine did that week is gone.</summary>
    private static double[] Series(NoiseShape shape, SeededRandom random, double step) =>
        [.. Enumerable.Range(0, LastLook).Select(at => (Noise * shape.Difference(random) / Math.Sqrt(2)) + (at >= Step ? step : 0))];
}
