namespace PerfLab.Core.Tests.Statistics;

/// <summary>The signed-rank test the long way: every one of the 2^n choices of signs, with ranks found by comparing pairs.</summary>
internal static class SignCounting
{
    public static (double Above, double Below) Tails(double[] differences)
    {
        var ranks = differences.Select(difference => difference == 0 ? 0 : MidRank(differences, Math.Abs(difference))).ToArray();
        var seen = Sum(ranks, place => differences[place] > 0);
        var (above, below) = (0, 0);
        for (var signs = 0; signs < 1 << differences.Length; signs++)
        {
            var sum = Sum(ranks, place => (signs >> place & 1) == 1);
            above += sum >= seen ? 1 : 0;
            below += sum <= seen ? 1 : 0;
        }

        return ((double)above / (1 << differences.Length), (double)below / (1 << differences.Length));
    }

    /// <summary>Mid-rank of a magnitude among all, zeros included.</summary>
    private static double MidRank(double[] differences, double magnitude) =>
        differences.Count(other => Math.Abs(other) < magnitude)
        + ((differences.Count(other => Math.Abs(other).Equals(magnitude)) + 1) / 2.0);

    private static double Sum(double[] ranks, Func<int, bool> isPositive) => ranks.Where((_, place) => isPositive(place)).Sum();
}
