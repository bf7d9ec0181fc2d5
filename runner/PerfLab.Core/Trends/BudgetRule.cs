using System.Runtime.InteropServices;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Trends;

/// <summary>A session of the trend as the budget sees it. Log units against the anchor, + is worse.</summary>
/// <param name="Low">Lower end of the interval that the session itself gives; null when it has none.</param>
/// <param name="High">Upper end of it.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct MainPoint(MainSession Place, string? Anchor, double Change, double? Low, double? High);

/// <summary>
/// Many small steps, each below the margin, against one budget since the anchor (docs/internals/statistics-method.md, "The budget of many small
/// steps").
/// </summary>
public static class BudgetRule
{
    /// <summary>Sessions beside one anchor from which on their own scatter counts, too.</summary>
    public const int LeastForScatter = 8;

    /// <summary>Older sessions say nothing of how far two neighbours lie apart today.</summary>
    public const int MostForScatter = 26;

    /// <summary>Half of a 95 % interval, in standard deviations.</summary>
    private const double HalfInterval = 1.96;

    /// <summary>A median absolute deviation as a standard deviation, of normal values.</summary>
    private const double OfDeviation = 1.4826;

    /// <param name="row">A primary metric, judged.</param>
    /// <param name="main">Sessions of its series from the newest to the oldest.</param>
    /// <param name="budget">A fraction.</param>
    /// <param name="familyError">The level at which a change of one row is certain.</param>
    /// <returns>Null where there is nothing to say: no change, or no session with an interval.</returns>
    public static BudgetStanding? Of(ComparedMetric row, IReadOnlyList<MainPoint> main, double budget, double familyError)
    {
        if (row is not { Primary: true, Change: > -1 and var change, Low: > -1 and var low, High: { } high }
            || row.Verdict is not (Verdict.Regressed or Verdict.Improved or Verdict.Unchanged or Verdict.Undecided)
            || main is not [{ Low: { } mainLow, High: { } mainHigh } newest, ..])
        {
            return null;
        }

        var (own, ownLow, ownHigh) = (Math.Log(1 + change), Math.Log(1 + low), Math.Log(1 + high));
        var scatter = Scatter(main);
        var (below, above) = (Math.Max(newest.Change - mainLow, scatter), Math.Max(mainHigh - newest.Change, scatter));
        // The row is a session, too: what two sessions of one build lie apart, it may be off by.
        var (ownBelow, ownAbove) = (Math.Max(own - ownLow, scatter), Math.Max(ownHigh - own, scatter));
        var together = newest.Change + own;
        // Two sessions that know nothing of each other: their errors add up as squares.
        var least = together - Math.Sqrt((below * below) + (ownBelow * ownBelow));
        var most = together + Math.Sqrt((above * above) + (ownAbove * ownAbove));
        return new()
        {
            Budget = budget,
            Anchor = newest.Anchor,
            Newest = newest.Place,
            Main = Fraction(newest.Change),
            MainLow = Fraction(newest.Change - below),
            MainHigh = Fraction(newest.Change + above),
            Together = Fraction(together),
            Low = Fraction(least),
            High = Fraction(most),
            Overspent = Fraction(least) > budget && own > ownBelow && IsWorse(row, familyError),
        };
    }

    /// <summary>A change that is not certain never overspends: else, once main is beyond its budget, noise would fail whoever comes
    /// next. What people know of and keep is theirs to keep.</summary>
    private static bool IsWorse(ComparedMetric row, double familyError) =>
        row.Change > 0 && row.AdjustedP <= familyError && row.Accepted is null;

    /// <summary>
    /// Half of the interval that sessions themselves show: their own says how far rounds of one session lie apart, and two sessions of one
    /// build lie further apart than that. From how far each lies beside the middle of its neighbours: where main creeps steadily that is
    /// noise alone, and a step touches two of them.
    /// </summary>
    private static double Scatter(IReadOnlyList<MainPoint> main)
    {
        double[] values = [.. main.TakeWhile(point => point.Anchor == main[0].Anchor).Take(MostForScatter).Select(point => point.Change)];
        if (values.Length < LeastForScatter)
        {
            return 0;
        }

        double[] bends =
            [.. values.Zip(values.Skip(1), values.Skip(2)).Select(three => Math.Abs(three.First - (2 * three.Second) + three.Third))];
        // Of independent errors, such a difference of differences has six times the variance of one.
        return HalfInterval * OfDeviation * Median.Of(bends) / Math.Sqrt(6);
    }

    private static double Fraction(double log) => Math.Exp(log) - 1;
}
