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
        table *= policy.Within > 0 ? SmallestDetectableTable.PriceOfGoingOn : 1;
        return Math.Exp(Math.Max(floor, table)) - 1 is var change && double.IsFinite(change) ? change : null;
    }

    /// <summary>
    /// Confirm rounds, without a screen, with which a true change would be flagged with 80 % power at a given noise; null when more than
    /// <paramref name="most"/> would be needed, or the table says nothing about these settings.
    /// </summary>
    public static int? Rounds(double change, double noise, int pairs, int most, Policy policy)
    {
        if (!IsSeenIn(most))
        {
            return null;
        }

        var (tooFew, enough) = (0, most);
        while (enough - tooFew > 1)
        {
            var middle = (tooFew + enough) / 2;
            (tooFew, enough) = IsSeenIn(middle) ? (tooFew, middle) : (middle, enough);
        }

        return enough;

        bool IsSeenIn(int rounds) => Change(noise, pairs, screened: false, policy with { ConfirmRounds = rounds }) <= change;
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

/// <summary>
/// The change that is flagged with 80 % power, in units of noise: rows by pairs, columns by ln(1 + margin) / noise. Printed by
/// <c>PerfLab.Calibration --detectable --seed 20260101 --cells 1000000</c>: normal noise, the default policy, the other pairs unchanged.
/// </summary>
public static class SmallestDetectableTable
{
    public const ulong Seed = 20260101;
    public const int SimulatedCells = 1_000_000;

    /// <summary>The centre of 20 rounds scatters: 80 % power needs this much of the noise beyond the margin.</summary>
    public const double CentreAllowance = 0.19;

    /// <summary>A row that may go on pays for it: its planned rounds find only changes that are so much larger (G12).</summary>
    public const double PriceOfGoingOn = 1.05;

    public static IReadOnlyList<int> Pairs { get; } = [1, 5, 20, 50, 200, 500, 2000];

    public static IReadOnlyList<double> MarginToNoise { get; } = [0, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2];

    /// <summary>8 screen rounds, then 20 confirm rounds for the pairs that are kept.</summary>
    public static IReadOnlyList<IReadOnlyList<double>> Screened { get; } =
    [
        [1.087, 1.088, 1.131, 1.206, 1.271, 1.345, 1.469, 1.700, 2.194], // 1
        [1.094, 1.094, 1.133, 1.206, 1.271, 1.345, 1.469, 1.700, 2.194], // 5
        [1.114, 1.114, 1.142, 1.208, 1.271, 1.345, 1.469, 1.700, 2.194], // 20
        [1.142, 1.142, 1.159, 1.213, 1.273, 1.346, 1.470, 1.700, 2.194], // 50
        [1.216, 1.216, 1.220, 1.246, 1.289, 1.352, 1.471, 1.700, 2.194], // 200
        [1.281, 1.281, 1.282, 1.294, 1.320, 1.369, 1.476, 1.701, 2.194], // 500
        [1.413, 1.413, 1.413, 1.415, 1.422, 1.443, 1.511, 1.707, 2.194], // 2000
    ];

    /// <summary>No screen, 20 rounds for every pair, two-sided.</summary>
    public static IReadOnlyList<IReadOnlyList<double>> Straight { get; } =
    [
        [0.859, 0.862, 0.961, 1.095, 1.194, 1.294, 1.443, 1.693, 2.193], // 1
        [1.026, 1.026, 1.048, 1.123, 1.204, 1.296, 1.444, 1.694, 2.193], // 5
        [1.183, 1.183, 1.187, 1.211, 1.254, 1.320, 1.450, 1.694, 2.193], // 20
        [1.311, 1.311, 1.312, 1.318, 1.336, 1.375, 1.472, 1.697, 2.194], // 50
        [1.482, 1.482, 1.482, 1.483, 1.486, 1.497, 1.545, 1.716, 2.194], // 200
        [1.629, 1.629, 1.629, 1.629, 1.629, 1.631, 1.649, 1.759, 2.196], // 500
        [1.983, 1.983, 1.983, 1.983, 1.983, 1.983, 1.984, 1.995, 2.242], // 2000
    ];
}
