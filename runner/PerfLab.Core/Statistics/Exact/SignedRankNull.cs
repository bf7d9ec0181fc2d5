namespace PerfLab.Core.Statistics.Exact;

/// <summary>
/// The law of the signed-rank sum T (the sum of the ranks of the positive differences) when nothing changed: each rank is positive or
/// negative with equal chance. Exact by dynamic programming over the ranks (Wilcoxon 1945; the recursion is in Hollander, Wolfe,
/// Chicken, "Nonparametric Statistical Methods", section 3.1).
/// </summary>
public static class SignedRankNull
{
    /// <summary>Up to this many non-zero differences the law is exact; above it, normal with continuity correction.</summary>
    public const int LargestExact = 60;

    /// <summary>[n][t] = P(T &lt;= t) for the ranks 1 … n; filled once, only read afterwards.</summary>
    private static readonly double[][] Untied = [.. Enumerable.Range(0, LargestExact + 1).Select(n => Cumulative(Ranks(n)))];

    /// <summary>P(T &lt;= <paramref name="sum"/>) for <paramref name="n"/> differences without ties or zeros.</summary>
    public static double AtMost(int n, long sum)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(n);
        if (sum < 0)
        {
            return 0;
        }

        if (sum >= Total(n))
        {
            return 1;
        }

        return n <= LargestExact ? Untied[n][sum] : NormalAtMost(sum, Total(n), Variance(n), step: 1);
    }

    /// <summary>
    /// P(T &lt;= <paramref name="sum"/>) given the doubled mid-ranks of the non-zero differences; the sum is doubled too.
    /// </summary>
    public static double AtMost(ReadOnlySpan<int> doubledRanks, long sum)
    {
        long total = 0;
        var variance = 0.0;
        foreach (var rank in doubledRanks)
        {
            total += rank;
            variance += (double)rank * rank / 4;
        }

        if (sum < 0)
        {
            return 0;
        }

        if (sum >= total)
        {
            return 1;
        }

        return doubledRanks.Length <= LargestExact
            ? Cumulative(doubledRanks)[sum]
            : NormalAtMost(sum, total, variance, step: 2);
    }

    /// <summary>
    /// The largest k for which the interval from the k-th smallest to the k-th largest Walsh average of n differences covers at least
    /// <paramref name="coverage"/>, with the coverage it attains; 0 when even the widest one covers less.
    /// </summary>
    public static (int Rank, double Coverage) IntervalRank(int n, double coverage)
    {
        if (Covers(n, 1) < coverage)
        {
            return (0, 0);
        }

        var enough = 1;
        var tooMany = (int)(Total(n) / 2) + 1;
        while (tooMany - enough > 1)
        {
            var middle = enough + ((tooMany - enough) / 2);
            (enough, tooMany) = Covers(n, middle) >= coverage ? (middle, tooMany) : (enough, middle);
        }

        return (enough, Covers(n, enough));
    }

    private static double Covers(int n, int rank) => 1 - (2 * AtMost(n, rank - 1));

    /// <summary>All P(T &lt;= t): one rank after the other joins with probability one half.</summary>
    private static double[] Cumulative(ReadOnlySpan<int> ranks)
    {
        var total = 0;
        foreach (var rank in ranks)
        {
            total += rank;
        }

        var law = new double[total + 1];
        law[0] = 1;
        var reached = 0;
        foreach (var rank in ranks)
        {
            reached += rank;
            for (var sum = reached; sum >= 0; sum--)
            {
                law[sum] = (law[sum] + (sum >= rank ? law[sum - rank] : 0)) / 2;
            }
        }

        for (var sum = 1; sum <= total; sum++)
        {
            law[sum] += law[sum - 1];
        }

        return law;
    }

    private static int[] Ranks(int n) => [.. Enumerable.Range(1, n)];

    private static long Total(int n) => (long)n * (n + 1) / 2;

    private static double Variance(int n) => (double)n * (n + 1) * ((2 * n) + 1) / 24;

    /// <param name="total">The largest value that T can take; its mean is half of it.</param>
    /// <param name="step">Distance between neighbouring sums; half of it is the continuity correction.</param>
    private static double NormalAtMost(long sum, long total, double variance, int step) =>
        NormalDistribution.Cdf((sum + (step / 2.0) - (total / 2.0)) / Math.Sqrt(variance));
}
