using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Tests.Statistics;

public sealed class SignedRankNullTests
{
    [Theory]
    [InlineData(8, 5, 10.0 / 256)]
    [InlineData(8, 3, 5.0 / 256)]
    [InlineData(5, 0, 1.0 / 32)]
    [InlineData(20, 0, 1.0 / 1_048_576)]
    [InlineData(3, 6, 1)]
    [InlineData(3, -1, 0)]
    public void tails_are_those_of_the_table(int n, int sum, double expected) => SignedRankNull.AtMost(n, sum).ShouldBe(expected, 1e-15);

    [Fact]
    public void the_published_critical_value_for_20_rounds_holds()
    {
        // Wilcoxon, Wilcox 1964: 52 is the largest sum with a two-sided p of at most 0.05.
        (2 * SignedRankNull.AtMost(20, 52)).ShouldBeLessThanOrEqualTo(0.05);
        (2 * SignedRankNull.AtMost(20, 53)).ShouldBeGreaterThan(0.05);
    }

    [Theory]
    [InlineData(0.40, 0.01)]
    [InlineData(0.10, 0.01)]
    [InlineData(0.01, 0.05)]
    [InlineData(0.001, 0.20)]
    [InlineData(0.00001, 1.50)]
    public void where_the_normal_law_takes_over_it_is_close_and_in_the_far_tail_too_large_rather_than_too_small(double tail, double error)
    {
        // The ranks of 60 differences as a conditional law are exact; with a 61st of rank 0 the same law is approximated.
        const int N = SignedRankNull.LargestExact;
        int[] doubled = [.. Enumerable.Range(1, N).Select(rank => 2 * rank)];
        var sum = 0;
        while (SignedRankNull.AtMost(N, sum) < tail)
        {
            sum++;
        }

        var exact = SignedRankNull.AtMost(N, sum);
        SignedRankNull.AtMost(doubled, 2 * sum).ShouldBe(exact, 1e-12);
        SignedRankNull.AtMost([.. doubled, 0], 2 * sum).ShouldBeInRange((tail > 0.01 ? 1 - error : 1) * exact, (1 + error) * exact);
    }

    [Theory]
    [InlineData(8, 0.95, 4, 0.9609)]
    [InlineData(20, 0.95, 53, 0.9516)]
    [InlineData(28, 0.95, 117, 0.9523)]
    [InlineData(8, 0.99, 1, 0.9922)]
    [InlineData(6, 0.95, 1, 0.9688)]
    public void the_narrowest_interval_attains_a_little_more_than_asked(int n, double asked, int rank, double attained)
    {
        var (found, coverage) = SignedRankNull.IntervalRank(n, asked);

        found.ShouldBe(rank);
        coverage.ShouldBe(attained, 0.00005);
        SignedRankNull.IntervalRank(n, coverage).Rank.ShouldBe(rank);
    }

    [Theory]
    [InlineData(5, 0.95)]
    [InlineData(7, 0.99)]
    [InlineData(0, 0.5)]
    public void too_few_differences_have_no_interval(int n, double asked) => SignedRankNull.IntervalRank(n, asked).ShouldBe((0, 0));
}
