using System.Runtime.InteropServices;

namespace PerfLab.Core.Statistics.Exact;

/// <summary>What the signed-rank test says of a set of paired differences.</summary>
/// <param name="RankSum">Sum of the signed mid-ranks, doubled so that it is whole. Its sign is the direction; + means the differences lie
/// above 0.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct SignedRankTest(long RankSum, double Above, double Below)
{
    /// <summary>Two-sided p: twice the smaller tail, at most 1.</summary>
    public double TwoSided => Math.Min(1, 2 * Math.Min(Above, Below));

    /// <summary>+1, 0 or -1.</summary>
    public int Direction => Math.Sign(RankSum);
}

/// <summary>
/// Wilcoxon's signed-rank test with Pratt's treatment of zeros (they are ranked, then left out; Pratt, JASA 54, 1959) and mid-ranks for
/// ties. The p-value is exact given the ranks that occurred; without ties and zeros that is the textbook table.
/// </summary>
public static class SignedRank
{
    /// <summary>
    /// Differences are rounded to this before ranking, so that platforms whose logarithms differ in the last bit agree on ties.
    /// </summary>
    public const double Resolution = 1e-12;

    /// <summary>Larger differences do not fit the ranking and are no log ratios of doubles either (those stay below 1,500).</summary>
    public const double LargestDifference = 1e6;

    /// <summary>
    /// Tests differences in log units. All zeros, or none at all, give p = 1. Throws for NaN or beyond <see cref="LargestDifference"/>.
    /// </summary>
    public static SignedRankTest Test(ReadOnlySpan<double> differences)
    {
        Span<long> keys = differences.Length <= 128 ? stackalloc long[differences.Length] : new long[differences.Length];
        for (var i = 0; i < differences.Length; i++)
        {
            keys[i] = Key(differences[i]);
        }

        keys.Sort();
        Span<int> ranks = differences.Length <= 128 ? stackalloc int[differences.Length] : new int[differences.Length];
        return TestRanks(keys, ranks);
    }

    /// <summary>
    /// Magnitude in units of the resolution, shifted left by one; the lowest bit says "positive". Sorting keys sorts magnitudes.
    /// </summary>
    private static long Key(double difference)
    {
        if (!(Math.Abs(difference) <= LargestDifference))
        {
            throw new ArgumentOutOfRangeException(
                nameof(difference), difference, "A paired difference must be a number up to 1e6 in magnitude.");
        }

        var units = (long)Math.Round(difference / Resolution);
        return units > 0 ? (units << 1) | 1 : -units << 1;
    }

    private static SignedRankTest TestRanks(ReadOnlySpan<long> keys, Span<int> ranks)
    {
        var (count, tied) = (0, false);
        long positive = 0, total = 0;
        for (int first = 0, next; first < keys.Length; first = next)
        {
            var magnitude = keys[first] >> 1;
            for (next = first + 1; next < keys.Length && keys[next] >> 1 == magnitude; next++)
            {
            }

            if (magnitude == 0)
            {
                continue;
            }

            tied |= next - first > 1;
            for (var i = first; i < next; i++)
            {
                var doubled = first + next + 1;
                ranks[count++] = doubled;
                total += doubled;
                positive += (keys[i] & 1) * doubled;
            }
        }

        return tied || count < keys.Length ? Conditional(ranks[..count], positive, total) : Untied(count, positive / 2, total / 2);
    }

    /// <summary>The null law is symmetric, so P(T >= t) = P(T &lt;= total - t), which keeps small tails accurate.</summary>
    private static SignedRankTest Untied(int n, long positive, long total) => new(
        2 * ((2 * positive) - total), SignedRankNull.AtMost(n, total - positive), SignedRankNull.AtMost(n, positive));

    private static SignedRankTest Conditional(ReadOnlySpan<int> ranks, long positive, long total) => new(
        (2 * positive) - total, SignedRankNull.AtMost(ranks, total - positive), SignedRankNull.AtMost(ranks, positive));
}
