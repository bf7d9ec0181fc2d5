using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Calibration;

/// <summary>
/// Makes the table behind <see cref="SmallestDetectable"/>: for normal noise of 1, the true change that is flagged with 80 % power.
/// The signed-rank sum counts the Walsh averages above 0, so for every simulated cell the shift at which it would just be flagged can
/// be read off its Walsh averages; 80 % of the cells are flagged at the 80th percentile of these shifts.
/// </summary>
public sealed class DetectableTable(Policy policy, ulong seed, int cells)
{
    public static IReadOnlyList<int> Pairs { get; } = [1, 5, 20, 50, 200, 500, 2000];

    public static IReadOnlyList<double> MarginToNoise { get; } = [0, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2];

    private readonly SeededRandom _random = SeededRandom.For(seed, $"detectable {policy.ScreenRounds}+{policy.ConfirmRounds}");

    /// <summary>
    /// [row][column]: smallest detectable change in units of noise, by <see cref="Pairs"/> and <see cref="MarginToNoise"/>.
    /// </summary>
    public double[][] Simulate()
    {
        var significantAt = Pairs.Select(_ => new double[cells]).ToArray();
        var centres = new double[cells];
        var keepLevel = policy.ScreenRounds > 0 ? PolicyRules.AttainedKeepLevel(policy) : 1;
        var keptOf = Pairs.Select(pairs => new KeptCount(pairs - 1, keepLevel)).ToArray();
        for (var cell = 0; cell < cells; cell++)
        {
            var screenShift = policy.ScreenRounds == 0
                ? double.NegativeInfinity
                : ShiftToReach(new(Normals(policy.ScreenRounds)), policy.ScreenRounds, policy.KeepP / 2);
            var confirm = new WalshAverages(Normals(policy.ConfirmRounds));
            centres[cell] = confirm.Centre;
            for (var row = 0; row < Pairs.Count; row++)
            {
                // One more than the others that were kept; without a screen the test is two-sided.
                var family = 1 + keptOf[row].Draw(_random);
                var level = policy.FamilyError / family / (policy.ScreenRounds == 0 ? 2 : 1);
                significantAt[row][cell] = Math.Max(screenShift, ShiftToReach(confirm, policy.ConfirmRounds, level));
            }
        }

        return [.. significantAt.Select(shifts => MarginToNoise.Select(margin => EightyPercent(shifts, centres, margin)).ToArray())];
    }

    /// <summary>The shift from which on the one-sided p is at most <paramref name="level"/>.</summary>
    private static double ShiftToReach(WalshAverages walsh, int rounds, double level)
    {
        // The smallest sum t with P(T >= t) <= level; T >= t when the t-th largest Walsh average, shifted, lies above 0.
        var averages = walsh.Sorted;
        var misses = -1;
        while (SignedRankNull.AtMost(rounds, misses + 1) <= level)
        {
            misses++;
        }

        return misses < 0 ? double.PositiveInfinity : -averages[misses];
    }

    private static double EightyPercent(double[] shifts, double[] centres, double margin)
    {
        var needed = shifts.Zip(centres, (shift, centre) => Math.Max(shift, margin - centre)).ToArray();
        Array.Sort(needed);
        return needed[(int)Math.Ceiling(0.8 * needed.Length) - 1];
    }

    private double[] Normals(int count) => [.. Enumerable.Range(0, count).Select(_ => _random.NextNormal())];

    /// <summary>How many of the other, unchanged pairs the screen keeps: binomial, drawn by its cumulative law.</summary>
    private sealed class KeptCount
    {
        private readonly int _others;
        private readonly double[] _cumulative;

        public KeptCount(int others, double level)
        {
            _others = others;
            _cumulative = level >= 1 ? [] : [.. Enumerable.Range(0, others + 1).Select(kept => Binomial.AtMost(kept, others, level))];
        }

        public int Draw(SeededRandom random)
        {
            if (_cumulative.Length == 0)
            {
                return _others;
            }

            var place = Array.BinarySearch(_cumulative, random.NextDouble());
            return Math.Min(_others, place < 0 ? ~place : place);
        }
    }
}
