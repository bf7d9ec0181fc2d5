using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Exact;

/// <summary>
/// The true change that the whole procedure would flag with 80 % power at a given noise: what a cell without a finding could have seen.
/// From a table made by seeded simulation for normal noise (PerfLab.Calibration --detectable), interpolated in the logarithm of the
/// number of pairs and in margin / noise.
/// </summary>
public static class SmallestDetectable
{
    /// <summary>
    /// Smallest detectable change as a fraction, or null when the table says nothing about these settings (a stricter family error or
    /// keep-p than it was made for; looser ones detect more, so the table stays on the safe side), or when no double can hold it.
    /// </summary>
    /// <param name="noise">Noise of the paired log ratios, as a fraction.</param>
    /// <param name="pairs">(cell, arm) pairs that are compared in the session.</param>
    /// <param name="screened">Whether there is a screen before the confirm stage.</param>
    /// <param name="policy">Gives the margin and the number of confirm rounds.</param>
    public static double? Change(double noise, int pairs, bool screened, Policy policy)
    {
        var defaults = new Policy();
        if (policy.FamilyError < defaults.FamilyError || (screened && policy.KeepP < defaults.KeepP) || policy.ConfirmRounds < 1)
        {
            return null;
        }

        var margin = Math.Log(1 + policy.Margin);
        // The table holds for 20 confirm rounds; the spread of the centre falls with the root of their number. At 10+30 rounds this is
        // within 4 % of a simulation of its own (PerfLab.Calibration --detectable prints that too).
        var scale = Math.Sqrt((double)defaults.ConfirmRounds / policy.ConfirmRounds);
        var scaled = noise * scale;
        var floor = margin + (SmallestDetectableTable.CentreAllowance * scaled);
        var table = scaled > 0 ? scaled * Factor(Math.Max(1, pairs), margin / scaled, screened) : 0;
        return Math.Exp(Math.Max(floor, table)) - 1 is var change && double.IsFinite(change) ? change : null;
    }

    private static double Factor(int pairs, double ratio, bool screened)
    {
        var table = screened ? SmallestDetectableTable.Screened : SmallestDetectableTable.Straight;
        var (row, share) = Place(SmallestDetectableTable.Pairs.Select(count => Math.Log(count)), Math.Log(pairs));
        return Between(AtRatio(table[row], ratio), AtRatio(table[row + 1], ratio), share);
    }

    private static double AtRatio(IReadOnlyList<double> row, double ratio)
    {
        var (column, share) = Place(SmallestDetectableTable.MarginToNoise, ratio);
        return Between(row[column], row[column + 1], share);
    }

    /// <summary>
    /// Between which two of the ascending <paramref name="marks"/> a value lies, and how far along; outside, at the nearer end.
    /// </summary>
    private static (int Lower, double Share) Place(IEnumerable<double> marks, double value)
    {
        double[] ascending = [.. marks];
        var lower = Math.Clamp(Array.FindLastIndex(ascending, mark => mark <= value), 0, ascending.Length - 2);
        return (lower, Math.Clamp((value - ascending[lower]) / (ascending[lower + 1] - ascending[lower]), 0, 1));
    }

    private static double Between(double from, double to, double share) => from + (share * (to - from));
}
