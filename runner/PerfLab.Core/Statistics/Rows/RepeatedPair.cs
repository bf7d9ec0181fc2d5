using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>What one of several sessions says of a row that the first one flagged. Fractions, + is slower or worse.</summary>
/// <param name="Low">Lower end of its own interval.</param>
/// <param name="High">Upper end of it.</param>
/// <param name="PValue">Exact signed-rank p, one-sided in the direction of the first.</param>
/// <param name="Rounds">Complete ones.</param>
/// <param name="Agrees">Same direction, small p, change reaches the margin. The first agrees with itself.</param>
public sealed record SessionChange(
    [AtLeast(-1)] double? Change, [AtLeast(-1)] double? Low, [AtLeast(-1)] double? High, [Range(0, 1)] double? PValue,
    [AtLeast(0)] int Rounds, bool Agrees);

/// <summary>
/// Whether what the first session flagged is there in its repeats too. Repeats only take flags away, so the family error stays at most what
/// it was.
/// </summary>
public sealed class RepeatedPair
{
    /// <summary>One-sided p that a repeat must reach.</summary>
    public const double Level = 0.05;

    /// <summary>Variance of the Hodges-Lehmann centre of n normal differences, in units of their variance / n.</summary>
    private const double CentreVariance = Math.PI / 3;

    private RepeatedPair(IReadOnlyList<SessionChange> sessions, PooledChange? pooled) => (Sessions, Pooled) = (sessions, pooled);

    /// <summary>The first session and every repeat that has begun.</summary>
    public IReadOnlyList<SessionChange> Sessions { get; }

    /// <summary>Null when fewer than two sessions have a change.</summary>
    public PooledChange? Pooled { get; }

    /// <summary>Every repeat that has begun agrees.</summary>
    public bool Holds => Sessions.All(session => session.Agrees);

    /// <param name="pair">What was flagged.</param>
    /// <param name="metric">Its primary metric.</param>
    /// <param name="direction">In which it was flagged: +1 or -1.</param>
    /// <param name="policy">Rounds of a session, margin, interval.</param>
    /// <returns>Null when no repeat has begun.</returns>
    public static RepeatedPair? Of(PairEvidence pair, Metric metric, int direction, Policy policy)
    {
        var size = Math.Max(1, policy.ConfirmRounds);
        // Beyond the plan's repeats nothing counts: a journal may come from anywhere.
        var begun = pair.RepeatsBegun.Select(round => round / size).Where(repeat => repeat < policy.Repeats).Distinct().Order().ToList();
        if (begun.Count == 0)
        {
            return null;
        }

        var repeats = begun.Select(repeat => LogRatios.Of([.. pair.Repeats.Where(round => round.Round / size == repeat)], metric));
        List<(SessionChange Session, (double Centre, double Variance)? Effect)> all =
        [
            One(LogRatios.Of(pair.Deciding, metric), direction, policy, isFirst: true),
            .. repeats.Select(ratios => One(ratios, direction, policy, isFirst: false)),
        ];
        var effects = all.Select(one => one.Effect).OfType<(double Centre, double Variance)>().ToList();
        return new([.. all.Select(one => one.Session)], effects.Count >= 2 ? RandomEffects.Of(effects, policy.Interval) : null);
    }

    /// <summary>Whether the paired log ratios of one repeat agree with what was flagged.</summary>
    public static bool Agrees(ReadOnlySpan<double> differences, int direction, Policy policy)
    {
        if (differences.Length < StageRule.LeastConfirmRounds)
        {
            return false;
        }

        var test = SignedRank.Test(differences);
        return (direction > 0 ? test.Above : test.Below) <= Level
            && PracticalMargin.Of(policy).IsReachedBy(new WalshAverages(differences).Centre, direction);
    }

    private static (SessionChange Session, (double Centre, double Variance)? Effect) One(
        LogRatios ratios, int direction, Policy policy, bool isFirst)
    {
        var differences = ratios.Differences;
        if (differences.Length < 2)
        {
            return (new(null, null, null, null, differences.Length, isFirst), null);
        }

        var (walsh, test, noise) = (new WalshAverages(differences), SignedRank.Test(differences), Noise.Of(differences)!.Value);
        var interval = walsh.Interval(policy.Interval);
        var session = new SessionChange(
            Fraction(walsh.Centre), Fraction(interval?.Low), Fraction(interval?.High), direction > 0 ? test.Above : test.Below,
            differences.Length, isFirst || Agrees(differences, direction, policy));
        return (session, (walsh.Centre, CentreVariance * noise * noise / differences.Length));
    }

    /// <summary>From log units to a fraction; a ratio beyond the largest double has none.</summary>
    public static double? Fraction(double? log) =>
        log is { } value && Math.Exp(value) - 1 is var fraction && double.IsFinite(fraction) ? fraction : null;
}
