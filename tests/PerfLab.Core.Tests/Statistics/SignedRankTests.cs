using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Tests.Statistics;

public sealed class SignedRankTests
{
    /// <summary>Hamilton depression scores before and after, Hollander, Wolfe, "Nonparametric Statistical Methods", table 3.1.</summary>
    public static readonly double[] Depression = [0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01];

    [Fact]
    public void the_textbook_example_has_its_published_p()
    {
        var test = SignedRank.Test(Depression);

        test.RankSum.ShouldBe(2 * (40 - 5));
        test.Above.ShouldBe(10.0 / 512);
        test.Below.ShouldBe(1 - (7.0 / 512), 1e-15);
        test.TwoSided.ShouldBe(20.0 / 512);
        test.Direction.ShouldBe(1);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(5)]
    [InlineData(8)]
    [InlineData(12)]
    public void p_is_what_counting_all_signs_gives_with_and_without_ties_and_zeros(int n)
    {
        var random = SeededRandom.For(1, $"brute force {n}");
        for (var repeat = 0; repeat < 20; repeat++)
        {
            // Few different values make ties and zeros; many make none.
            var values = repeat % 2 == 0 ? 4 : 100_000;
            double[] differences = [.. Enumerable.Range(0, n).Select(_ => (random.Next((2 * values) + 1) - values) * 0.001)];
            var (above, below) = SignCounting.Tails(differences);

            var test = SignedRank.Test(differences);

            test.Above.ShouldBe(above, 1e-12);
            test.Below.ShouldBe(below, 1e-12);
        }
    }

    [Fact]
    public void all_zeros_and_no_differences_at_all_give_p_1()
    {
        SignedRank.Test([0, 0, 0, 0, 0, 0]).ShouldBe(new SignedRankTest(0, 1, 1));
        SignedRank.Test([]).TwoSided.ShouldBe(1);
    }

    [Fact]
    public void zeros_are_ranked_before_they_are_left_out_as_pratt_has_it()
    {
        // Ranks with the two zeros: 3, 4, 5, so of the 8 choices of signs two leave at most 3 on the negative side: none, and the 3.
        var test = SignedRank.Test([0, 0, -0.1, 0.2, 0.3]);

        test.RankSum.ShouldBe(2 * (4 + 5 - 3));
        test.Above.ShouldBe(2.0 / 8);
    }

    [Fact]
    public void differences_that_agree_to_a_trillionth_are_tied() =>
        SignedRank.Test([0.1, -0.1 - 2e-13, 0.3]).ShouldBe(SignedRank.Test([0.1, -0.1, 0.3]));

    [Fact]
    public void the_order_of_the_differences_does_not_matter() =>
        SignedRank.Test([.. Depression.Reverse()]).ShouldBe(SignedRank.Test(Depression));

    [Theory]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    [InlineData(2e6)]
    public void what_can_not_be_a_log_ratio_is_refused(double difference) =>
        Should.Throw<ArgumentOutOfRangeException>(() => SignedRank.Test([0.1, difference]));

    [Fact]
    public void a_stage_too_long_for_the_exact_law_still_has_a_p()
    {
        double[] differences = [.. Enumerable.Range(1, 80).Select(i => i % 4 == 0 ? -0.001 * i : 0.001 * i)];

        var test = SignedRank.Test(differences);

        test.Above.ShouldBeInRange(1e-6, 1e-3);
        test.Below.ShouldBeGreaterThan(0.999);
    }
}
