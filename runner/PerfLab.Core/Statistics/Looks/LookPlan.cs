using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Looks;

/// <summary>
/// When a confirm stage is looked at, and how likely it is by chance alone that any of its looks comes out so clearly. The signed-rank
/// statistic at several looks has one joint law whatever the noise, so it was simulated once and is shipped (<see cref="LookTables"/>).
/// Pocock, "Group sequential methods in the design and analysis of clinical trials", Biometrika 64, 1977: one boundary for all looks.
/// </summary>
public sealed class LookPlan
{
    /// <summary>Beyond this even 60 rounds of the same sign do not reach.</summary>
    private const double Largest = 7;

    private readonly double[] _tail;

    private LookPlan(int[] rounds, double[] tail) => (Rounds, _tail) = (rounds, tail);

    /// <summary>Rounds after which there is a look; the last one ends the stage.</summary>
    public IReadOnlyList<int> Rounds { get; }

    /// <summary>Those that were simulated.</summary>
    public static IReadOnlyList<LookPlan> All { get; } = [.. LookTables.All.Select(table => new LookPlan(table.Rounds, table.Tail))];

    /// <summary>Null when the stage is not to stop early.</summary>
    public static LookPlan? Of(Policy policy) =>
        policy.StopEarly ? All.FirstOrDefault(plan => plan.Rounds[^1] == policy.ConfirmRounds) : null;

    /// <summary>
    /// The p-value over all looks: of the clearest look that was made, and as if every look had been made, so that it holds whenever the
    /// stage ended. Rounds beyond the last look that was reached are one look more.
    /// </summary>
    /// <param name="differences">Log ratios of the complete rounds, in their order.</param>
    /// <param name="direction">+1 or -1 tests in that direction, 0 in both.</param>
    public double PValue(ReadOnlySpan<double> differences, int direction)
    {
        if (differences.Length < Rounds[0])
        {
            return 1;
        }

        var (largest, smallestP) = (double.NegativeInfinity, 1.0);
        var isPlain = IsPlain(differences) && Rounds.Contains(differences.Length);
        foreach (var look in LooksOf(differences.Length))
        {
            var test = SignedRank.Test(differences[..look]);
            var z = test.RankSum / 2.0 / Deviation(look);
            largest = Math.Max(largest, direction == 0 ? Math.Abs(z) : direction * z);
            smallestP = Math.Min(smallestP, direction switch { > 0 => test.Above, < 0 => test.Below, _ => test.TwoSided });
        }

        var sides = direction == 0 ? 2 : 1;
        // Ties, zeros and lost rounds have another law: then every look may spend an equal share, which is never too little.
        return Math.Min(1, isPlain ? sides * Chance(largest) : Rounds.Count * smallestP);
    }

    /// <summary>Least z whose chance, over all looks and in one direction, is at most <paramref name="error"/>.</summary>
    public double Boundary(double error)
    {
        var step = 0;
        while (LookTables.At(step) < Largest && Chance(LookTables.At(step)) > error)
        {
            step++;
        }

        return LookTables.At(step);
    }

    /// <summary>
    /// At most so much of <paramref name="error"/> (in one direction) was spent when the look after <paramref name="rounds"/> rounds was over.
    /// </summary>
    public double Spent(double error, int rounds)
    {
        var boundary = Boundary(error);
        return Math.Min(error, Rounds.Where(look => look <= rounds).Sum(look => Tail(look, boundary)));
    }

    /// <summary>
    /// What an interval of <paramref name="rounds"/> rounds must cover by itself, so that the intervals of all looks together hold the true
    /// change with <paramref name="coverage"/> (Jennison, Turnbull, "Repeated confidence intervals", 1984).
    /// </summary>
    public double Coverage(int rounds, double coverage) => 1 - (2 * Tail(rounds, Boundary((1 - coverage) / 2)));

    /// <summary>
    /// P(any look's z is at least <paramref name="z"/>): simulated, and where that is too rare to simulate, at most the sum of the exact chances
    /// of all looks.
    /// </summary>
    public double Chance(double z) => Math.Min(LookTables.Chance(_tail, z), Rounds.Sum(look => Tail(look, z)));

    /// <summary>Standard deviation of the sum of signed ranks when nothing changed.</summary>
    public static double Deviation(int rounds) => Math.Sqrt((double)rounds * (rounds + 1) * ((2 * rounds) + 1) / 6);

    /// <summary>P(z of so many rounds is at least <paramref name="z"/>), exact.</summary>
    private static double Tail(int rounds, double z)
    {
        var total = (long)rounds * (rounds + 1) / 2;
        var least = (long)Math.Ceiling((((z * Deviation(rounds)) + total) / 2) - 1e-9);
        return SignedRankNull.AtMost(rounds, total - least);
    }

    private IEnumerable<int> LooksOf(int rounds)
    {
        var reached = Rounds.Where(look => look <= rounds).ToList();
        return reached[^1] == rounds ? reached : reached.Append(rounds);
    }

    private static bool IsPlain(ReadOnlySpan<double> differences)
    {
        var seen = new HashSet<long>();
        foreach (var difference in differences)
        {
            var size = (long)Math.Round(Math.Abs(difference) / SignedRank.Resolution);
            if (size == 0 || !seen.Add(size))
            {
                return false;
            }
        }

        return true;
    }
}
