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
        var unrest = level > rates.Length / 2 ? Unrest.LevelChanged
            : IsDrifting(series, rates, from) ? Unrest.Drifting
            : quiet is null ? Unrest.Compiling
            : Unrest.None;
        return new()
        {
            Kind = unrest == Unrest.None ? SteadyKind.Steady : SteadyKind.NoSteadyState,
            Seconds = unrest == Unrest.None ? series.Ends[from] : null,
            BeforeMeasuring = unrest == Unrest.None && series.Start(from) <= series.WarmUpSeconds,
            Watched = series.Seconds,
            WarmUp = series.WarmUpSeconds,
            Unrest = unrest,
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
        var spread = 1.4826 * Median.Of(steady.Select(rate => Math.Abs(rate - level)));
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
