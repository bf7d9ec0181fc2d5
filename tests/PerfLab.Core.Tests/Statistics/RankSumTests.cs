using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Tests.Statistics;

public sealed class RankSumTests
{
    [Theory]
    // One-sided 1 / choose(24, 4), 1 / choose(23, 3), 1 / choose(40, 20): all of one side lie below all of the other.
    [InlineData(4, 20, 3.7343)]
    [InlineData(3, 20, 3.2562)]
    [InlineData(20, 20, 6.7527)]
    [InlineData(4, 4, 2.1893)]
    public void sides_that_lie_apart_are_as_far_as_the_number_of_orders_says(int before, int after, double z)
    {
        double[] low = [.. Enumerable.Range(0, before).Select(at => (double)at)], high = [.. Enumerable.Range(100, after).Select(at => (double)at)];

        RankSum.Z(low, high).ShouldBe(z, 0.0001);
        RankSum.Z(high, low).ShouldBe(RankSum.Z(low, high));
    }

    [Theory]
    [InlineData(4, 5)]
    [InlineData(1, 6)]
    [InlineData(5, 5)]
    public void the_law_is_that_of_all_orders(int before, int after)
    {
        var count = before + after;
        var all = Enumerable.Range(0, 1 << count).Where(set => int.PopCount(set) == before).Select(set => U(set, count)).ToList();
        foreach (var set in Enumerable.Range(0, 1 << count).Where(set => int.PopCount(set) == before))
        {
            var smaller = Math.Min(U(set, count), (before * after) - U(set, count));
            var chance = (double)all.Count(u => u <= smaller) / all.Count;
            var z = RankSum.Z([.. Side(set, count, 1)], [.. Side(set, count, 0)]);
            (1 - NormalDistribution.Cdf(z)).ShouldBe(Math.Min(chance, 0.5), 1e-12);
        }

        static IEnumerable<double> Side(int set, int count, int bit) => Enumerable.Range(0, count).Where(at => ((set >> at) & 1) == bit).Select(at => (double)at);
        static int U(int set, int count) => Side(set, count, 1).Sum(one => Side(set, count, 0).Count(other => other > one));
    }

    [Fact]
    public void ties_count_half_and_half_a_pair_is_given_away()
    {
        // U = 4 x 3.5 = 14 of 16, so 2 at the other end; pwilcox(2, 4, 4) = 4 / 70 in R.
        RankSum.Z([1, 1, 1, 1], [1, 2, 2, 2]).ShouldBe(NormalDistribution.UpperQuantile(4.0 / 70), 1e-12);
        // U = 15.5 of 16: the half at the other end counts as 1; pwilcox(1, 4, 4) = 2 / 70.
        RankSum.Z([0, 0, 0, 1], [1, 2, 2, 2]).ShouldBe(NormalDistribution.UpperQuantile(2.0 / 70), 1e-12);
        RankSum.Z([7, 7, 7], [7, 7, 7, 7]).ShouldBe(0);
    }

    [Fact]
    public void the_law_of_long_sides_goes_on_where_the_exact_one_ends()
    {
        var random = SeededRandom.For(3, "rank sum");
        for (var run = 0; run < 20; run++)
        {
            double[] before = [.. Enumerable.Range(0, 50).Select(_ => random.NextNormal())], after = [.. Enumerable.Range(0, 50).Select(_ => random.NextNormal() + 0.5)];
            double pairs = 2500, u = before.Sum(one => after.Count(other => other > one));
            RankSum.Z(before, after).ShouldBe(Math.Max(0, (Math.Abs(u - (pairs / 2)) - 0.5) / Math.Sqrt(pairs * 101 / 12)), 0.1);
            RankSum.Z([.. before, -9], after).ShouldBe(RankSum.Z(before, after), 0.4, "one value more, by the normal law");
        }
    }

    [Theory]
    [InlineData(0.5, 0)]
    [InlineData(0.025, 1.959963984540054)]
    [InlineData(0.001, 3.090232306167814)]
    [InlineData(1e-12, 7.034483825301132)]
    public void a_quantile_is_that_of_r(double chance, double z) => NormalDistribution.UpperQuantile(chance).ShouldBe(z, 1e-9);
}
