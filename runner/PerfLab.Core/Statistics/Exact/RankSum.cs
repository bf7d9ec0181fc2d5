namespace PerfLab.Core.Statistics.Exact;

/// <summary>
/// Wilcoxon's rank-sum test of two sets of values, two-sided, as the z of the normal law that has the same p. U counts the pairs of a
/// value before and a larger one after (Wilcoxon 1945; Mann and Whitney, "On a test of whether one of two random variables is
/// stochastically larger than the other", Annals of Mathematical Statistics 18, 1947).
/// </summary>
public static class RankSum
{
    /// <summary>Up to so many values on each side the law is exact; above, normal with continuity correction.</summary>
    public const int LargestExact = 50;

    /// <summary>[m][n - m] for m &lt;= n: P(U &lt;= u) when every order is equally likely; filled once, only read afterwards.</summary>
    private static readonly double[][][] Laws = AllLaws();

    /// <summary>How far apart the two are; 0 and above. A pair that is tied counts half, and half a pair less is believed: ties make it
    /// smaller, never larger.</summary>
    public static double Z(ReadOnlySpan<double> before, ReadOnlySpan<double> after)
    {
        double pairs = (double)before.Length * after.Length, doubled = DoubledU(before, after);
        doubled = Math.Min(doubled, (2 * pairs) - doubled);
        var (few, many) = (Math.Min(before.Length, after.Length), Math.Max(before.Length, after.Length));
        if (many <= LargestExact)
        {
            var chance = Laws[few][many - few][(int)Math.Ceiling(doubled / 2)];
            return chance < 0.5 ? NormalDistribution.UpperQuantile(chance) : 0;
        }

        return Math.Max(0, (pairs - doubled - 1) / 2 / Math.Sqrt(pairs * (few + many + 1) / 12));
    }

    /// <summary>2 U, a whole number: two sorted sides are gone through once.</summary>
    private static double DoubledU(ReadOnlySpan<double> before, ReadOnlySpan<double> after)
    {
        double[] left = [.. before], right = [.. after];
        Array.Sort(left);
        Array.Sort(right);
        var (doubled, notBelow, above) = (0.0, 0, 0);
        foreach (var value in left)
        {
            while (notBelow < right.Length && right[notBelow] < value)
            {
                notBelow++;
            }

            for (above = Math.Max(above, notBelow); above < right.Length && right[above] <= value;)
            {
                above++;
            }

            doubled += (2.0 * (right.Length - above)) + (above - notBelow);
        }

        return doubled;
    }

    /// <summary>
    /// Mann and Whitney's recursion: the largest value of all lies before (then it adds no pair) or after (then it adds m).
    /// </summary>
    private static double[][][] AllLaws()
    {
        var laws = new double[LargestExact + 1][][];
        for (var m = 0; m <= LargestExact; m++)
        {
            laws[m] = new double[LargestExact - m + 1][];
            for (var n = m; n <= LargestExact; n++)
            {
                double[] law = new double[(m * n) + 1];
                var (fewer, other) = m == 0 ? ([], []) : (laws[m - 1][n - m + 1], n == m ? laws[m - 1][1] : laws[m][n - m - 1]);
                for (var u = 0; u < law.Length; u++)
                {
                    law[u] = m == 0 ? 1 : ((m * fewer[Math.Min(u, fewer.Length - 1)]) + (u < m ? 0 : n * other[u - m])) / (m + n);
                }

                laws[m][n - m] = law;
            }
        }

        return laws;
    }
}
