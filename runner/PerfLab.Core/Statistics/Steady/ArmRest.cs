using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Steady;

/// <summary>
/// Whether an arm's launches were at rest while they were measured. They were not when half of them or more compiled or say so themselves, or
/// when their rate moved with their age: from the first third of the measured windows to the last, in the same direction beyond chance, in
/// the median launch by more than can be let pass. What a neighbour does comes at any age, and so do the modes of a bimodal program:
/// over launches they point both ways, whatever they do to one of them. It never looks at which arm is faster, nor at launches whose
/// project wants them cold.
/// </summary>
/// <param name="Known">Launches that say anything.</param>
/// <param name="Compiling">Of these, the ones that compiled while they were measured, or until they had to be.</param>
/// <param name="Trending">Of these, the ones whose own warm-up ended in a trend, where no windows tell what came after it.</param>
/// <param name="Drift">ln(rate of the last third / rate of the first), median over launches, where it is no chance; null elsewhere.</param>
public sealed record ArmRest(int Known, int Compiling, int Trending, double? Drift)
{
    /// <summary>From this share of an arm's launches on.</summary>
    public const double Share = 0.5;

    /// <summary>Two-sided exact p of the signed ranks of the launches' drifts.</summary>
    public const double Level = 0.01;

    /// <summary>Drift that is let pass: a value is off by about half of it.</summary>
    public const double LeastDrift = 0.02;

    /// <summary>Fewer launches can't be beyond chance at <see cref="Level"/>.</summary>
    public const int LeastLaunches = 8;

    /// <summary>Fewer measured windows have no thirds.</summary>
    public const int LeastMeasuredWindows = 6;

    /// <summary>Median of the times at which launches came to rest; null when half of them never did, or it was before measuring began.</summary>
    public double? Seconds { get; private init; }

    /// <summary>How long a launch was watched, median.</summary>
    public double Watched { get; private init; }

    public bool IsSteady => (Compiling + Trending == 0 || Compiling + Trending < Share * Known) && Drift is null;

    public static ArmRest Of(IReadOnlyList<Launch> launches)
    {
        var all = launches.Where(launch => !LaunchRest.IsCold(launch))
            .Select(launch => (Launch: launch, Series: WindowSeries.From(launch.Evidence))).ToList();
        double[] drifts = [.. all.Select(one => one.Series is null ? null : DriftOf(one.Series)).OfType<double>()];
        var kinds = all.Select(one => LaunchRest.Of(one.Launch, one.Series)).Where(kind => kind != RestKind.Unknown).ToList();
        // With enough windows the arm's own drift says more than each launch's suspicion, which a neighbour can raise.
        var seen = drifts.Length >= LeastLaunches && drifts.Length >= Share * kinds.Count;
        double[] settled = [.. all.Select(one => one.Launch.Steady).OfType<SteadyState>().Where(state => state.Kind != SteadyKind.Unknown)
            .Select(state => state.Seconds ?? double.PositiveInfinity)];
        double[] watched = [.. all.Select(one => one.Series?.Seconds).OfType<double>()];
        return new(kinds.Count, kinds.Count(kind => kind == RestKind.Compiling), seen ? 0 : kinds.Count(kind => kind == RestKind.Trend),
            seen ? BeyondChance(drifts) : null)
        {
            // Who was at rest before, and compiled again later, is not helped by the same warm-up.
            Seconds = settled.Length > 0 && Median.Of(settled) is var middle && double.IsFinite(middle)
                && middle > Median.Of(all.Select(one => one.Series?.WarmUpSeconds).OfType<double>()) ? middle : null,
            Watched = watched.Length > 0 ? Median.Of(watched) : 0,
        };
    }

    private static double? BeyondChance(double[] drifts) =>
        Median.Of(drifts) is var middle && Math.Abs(middle) >= LeastDrift && SignedRank.Test(drifts).TwoSided <= Level ? middle : null;

    /// <summary>
    /// Thirds of equal length, so that without an age each is as likely to be the faster one, however skewed the noise is; their medians,
    /// so that collections, which come at the same age in every launch, don't count.
    /// </summary>
    private static double? DriftOf(WindowSeries series)
    {
        double[] measured = [.. series.Rates.Skip(series.FirstMeasured)];
        var third = measured.Length / 3;
        return measured.Length >= LeastMeasuredWindows && Median.Of(measured[..third]) is > 0 and var early
            && Median.Of(measured[^third..]) is > 0 and var late ? Math.Round(Math.Log(late / early), 12) : null;
    }
}
