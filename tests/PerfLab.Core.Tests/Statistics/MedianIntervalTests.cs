using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Tests.Statistics;

public sealed class MedianIntervalTests
{
    [Theory]
    [InlineData(5, 0)]
    [InlineData(6, 1)]
    [InlineData(8, 1)]
    [InlineData(9, 2)]
    [InlineData(13, 3)]
    [InlineData(20, 6)]
    [InlineData(28, 9)]
    public void the_rank_is_that_of_the_tables_for_the_sign_test(int count, int rank) => MedianInterval.Rank(count, 0.95).ShouldBe(rank);

    [Theory]
    [InlineData(6)]
    [InlineData(9)]
    [InlineData(12)]
    public void by_counting_all_ways_to_fall_on_either_side_it_covers_enough_and_one_rank_more_would_not(int count)
    {
        double Coverage(int rank) => Enumerable.Range(0, 1 << count).Count(sides => int.PopCount(sides) >= rank && int.PopCount(sides) <= count - rank) / (double)(1 << count);
        var rank = MedianInterval.Rank(count, 0.95);
        Coverage(rank).ShouldBeGreaterThanOrEqualTo(0.95);
        Coverage(rank + 1).ShouldBeLessThan(0.95);
    }

    [Fact]
    public void it_is_read_off_the_sorted_values() =>
        MedianInterval.Of([9, 1, 8, 2, 7, 3, 6, 4, 5], 0.95).ShouldBe((2, 8));

    [Fact]
    public void too_few_values_have_none() => MedianInterval.Of([1, 2, 3, 4, 5], 0.95).ShouldBeNull();

    [Theory]
    [InlineData(1000, 469)]
    [InlineData(1100, 518)]
    [InlineData(5000, 2431)]
    public void with_so_many_values_that_one_side_has_no_chance_that_a_double_could_hold_it_is_still_right(int count, int rank)
    {
        // The normal law, which is as good as exact here: n/2 - 1.96 sqrt(n)/2.
        MedianInterval.Rank(count, 0.95).ShouldBe(rank);
        ((double)rank).ShouldBe((count / 2.0) - (1.96 * Math.Sqrt(count) / 2), 1);
    }
}
