using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Steady;

/// <summary>
/// Judges one launch after it has ended; nothing is stopped, shortened or thrown away because of it. Steady means: no change of level in the
/// last half, no slope of 1 % in 10 s or more, and five windows in a row without bulk compilation. "Virtual machine warmup blows hot and cold"
/// (Barrett, Bolz-Tereick, Killick, Mount, Tratt, OOPSLA 2017) is why this is looked at and never assumed. The docs say how often each kind
/// of noise is labelled wrongly.
/// </summary>
public static class SteadyRule
{
    /// <summary>Fewer windows than this can't be judged.</summary>
    public const int LeastWindows = 10;

    /// <summary>Share of the level by which a steady launch may creep in ten seconds.</summary>
    public const double SlopeIn10Seconds = 0.01;

    /// <summary>Windows in a row without bulk compilation.</summary>
    public const int QuietWindows = 5;

    /// <summary>
    /// Methods a window that are no bulk: the runtime counts all tiers together, and its own timers, and the clock that reads the windows,
    /// bring a few at any time. A hot method that is compiled alone shows as a change of level.
    /// </summary>
    public const int QuietMethods = 5;

    /// <summary>Leading windows further from the level than so many times the noise are not steady yet; too few for a change of level.</summary>
    public const double LeadingNoise = 4;

    public static SteadyState Judge(WindowSeries series)
    {
        if (series.Rates.Count < LeastWindows)
        {
            return SteadyState.Unknown;
        }

        double[] rates = [.. series.Rates];
        var level = Levels.Last(rates);
        var quiet = Quiet(series, level);
        var from = Math.Max(SkipLeading(rates, level), quiet ?? level);
        var reason = level > rates.Length / 2 ? UnsteadyReason.LevelChanged
            : IsDrifting(series, rates, from) ? UnsteadyReason.Drifting
            : quiet is null ? UnsteadyReason.Compiling
            : UnsteadyReason.None;
        return new()
        {
            Kind = reason == UnsteadyReason.None ? SteadyKind.Steady : SteadyKind.NoSteadyState,
            Seconds = reason == UnsteadyReason.None ? series.Ends[from] : null,
            Watched = series.Seconds,
            WarmUp = series.WarmUpSeconds,
            Reason = reason,
        };
    }

    /// <summary>The first window from <paramref name="from"/> on that begins a quiet stretch; null when there is none.</summary>
    private static int? Quiet(WindowSeries series, int from)
    {
        if (series.Compiled.Count == 0)
        {
            return from;
        }

        for (var (window, run) = (from, 0); window < series.Compiled.Count; window++)
        {
            run = series.Compiled[window] <= QuietMethods ? run + 1 : 0;
            if (run == QuietWindows)
            {
                return window - QuietWindows + 1;
            }
        }

        return null;
    }

    private static int SkipLeading(double[] rates, int from)
    {
        double[] steady = rates[from..];
        var level = Median.Of(steady);
        var spread = Median.Deviation(steady);
        var allowed = Math.Max(LeadingNoise * spread, Levels.LeastChange * level);
        var first = from;
        while (first < from + RankCusum.LeastPart - 1 && Math.Abs(rates[first] - level) > allowed)
        {
            first++;
        }

        return first;
    }

    private static bool IsDrifting(WindowSeries series, double[] rates, int from)
    {
        double[] middles = [.. Enumerable.Range(0, rates.Length).Select(window => (series.Start(window) + series.Ends[window]) / 2)];
        return Slope.BeyondChance(rates.AsSpan(from), middles.AsSpan(from)) is { } slope && Math.Abs(slope) * 10 >= SlopeIn10Seconds;
    }
}

/// <summary>
/// Whether a series creeps up or down: the median of the slopes between any two values (Theil, 1950; Sen, 1968), and Kendall's test
/// that it is no chance. Both stand up to wild values.
/// </summary>
public static class Slope
{
    /// <summary>Quantile of the normal law for a two-sided level of 1 %.</summary>
    public const double Bound = 2.5758;

    /// <summary>Slope of <paramref name="values"/> over <paramref name="times"/> as a share of their median, per unit of time; null when it may be chance.</summary>
    public static double? BeyondChance(ReadOnlySpan<double> values, ReadOnlySpan<double> times)
    {
        var score = 0;
        for (var one = 0; one < values.Length; one++)
        {
            for (var other = one + 1; other < values.Length; other++)
            {
                score += Math.Sign(values[other] - values[one]);
            }
        }

        // Nearly every launch ends here, before the slopes have to be sorted.
        if (Math.Abs(score) <= 1 || (Math.Abs(score) - 1) / Deviation(values.ToArray()) <= Bound)
        {
            return null;
        }

        var level = Median.Of(values.ToArray());
        return level > 0 ? Median.Of(Slopes(values.ToArray(), times.ToArray())) / level : null;
    }

    private static IEnumerable<double> Slopes(double[] values, double[] times) =>
        from one in Enumerable.Range(0, values.Length)
        from other in Enumerable.Range(one + 1, values.Length - one - 1)
        select (values[other] - values[one]) / (times[other] - times[one]);

    /// <summary>Of Kendall's score when the order is chance; ties make it smaller.</summary>
    private static double Deviation(double[] values)
    {
        static double Term(double n) => n * (n - 1) * ((2 * n) + 5);
        var ties = values.GroupBy(value => value).Sum(group => Term(group.Count()));
        return Math.Sqrt((Term(values.Length) - ties) / 18);
    }
}

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
            if (RankCusum.Change(values[part.First..part.End]) is { Place: var place })
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
