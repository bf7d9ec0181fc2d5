using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Tests.Statistics;

public sealed class FamiliesAndRatesTests
{
    [Fact]
    public void holm_gives_what_r_gives()
    {
        // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
        Close(Holm.Adjust([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
        Close(Holm.Adjust([0.5, 0.9]), [1, 1]);
        Holm.Adjust([]).ShouldBeEmpty();
    }

    [Fact]
    public void a_p_of_1_in_the_family_makes_the_others_harder_to_pass() =>
        Close(Holm.Adjust([0.004, 1, 1]), [0.012, 1, 1]);

    [Theory]
    [InlineData(0, 20, 0, 0.1684335)]
    [InlineData(20, 20, 0.8315665, 1)]
    [InlineData(1, 10, 0.002528579, 0.4450161)]
    [InlineData(5, 10, 0.1870860, 0.8129140)]
    [InlineData(0, 0, 0, 1)]
    public void clopper_pearson_gives_what_binom_test_gives(int successes, int trials, double low, double high)
    {
        var interval = ClopperPearson.Interval(successes, trials);

        interval.Low.ShouldBe(low, 5e-7);
        interval.High.ShouldBe(high, 5e-7);
    }

    [Fact]
    public void the_ends_of_the_interval_are_where_a_tail_is_two_and_a_half_percent()
    {
        var interval = ClopperPearson.Interval(1, 90);

        (1 - Math.Pow(1 - interval.Low, 90)).ShouldBe(0.025, 1e-10);
        (Math.Pow(1 - interval.High, 90) + (90 * interval.High * Math.Pow(1 - interval.High, 89))).ShouldBe(0.025, 1e-10);
    }

    [Theory]
    [InlineData(3, 10, 0.5)]
    [InlineData(0, 5, 0.2)]
    [InlineData(5, 5, 0.2)]
    [InlineData(17, 40, 0.3)]
    public void binomial_tails_are_the_sums_of_their_terms(int successes, int trials, double chance)
    {
        Binomial.AtLeast(successes, trials, chance).ShouldBe(Enumerable.Range(successes, trials - successes + 1).Sum(Term), 1e-12);
        Binomial.AtMost(successes, trials, chance).ShouldBe(Enumerable.Range(0, successes + 1).Sum(Term), 1e-12);

        double Term(int k)
        {
            var choose = Enumerable.Range(1, k).Aggregate(1.0, (product, i) => product * (trials - k + i) / i);
            return choose * Math.Pow(chance, k) * Math.Pow(1 - chance, trials - k);
        }
    }

    [Fact]
    public void an_arm_fails_more_often_beyond_chance_from_five_failures_against_none()
    {
        Binomial.FailsMoreOften(4, 20, 0, 20).ShouldBe(1.0 / 16, 1e-12);
        Binomial.FailsMoreOften(5, 20, 0, 20).ShouldBe(1.0 / 32, 1e-12);
        Binomial.FailsMoreOften(5, 20, 5, 20).ShouldBeGreaterThan(0.5);
        Binomial.FailsMoreOften(0, 20, 9, 20).ShouldBe(1);
    }

    [Theory]
    [InlineData(0, 0.5)]
    [InlineData(-1.959963984540054, 0.025)]
    [InlineData(1, 0.8413447460685429)]
    [InlineData(-8, 6.220960574271785e-16)]
    [InlineData(-40, 0)]
    public void the_normal_law_is_accurate_in_its_tails(double z, double expected) =>
        NormalDistribution.Cdf(z).ShouldBe(expected, Math.Max(1e-15, 1e-9 * expected));

    [Fact]
    public void the_median_of_an_even_number_is_the_mean_of_the_middle_two()
    {
        Median.Of([4, 1, 3, 2]).ShouldBe(2.5);
        Median.Of([7]).ShouldBe(7);
        Should.Throw<ArgumentOutOfRangeException>(() => Median.Of([]));
    }

    private static void Close(double[] actual, double[] expected)
    {
        actual.Length.ShouldBe(expected.Length);
        foreach (var (one, other) in actual.Zip(expected))
        {
            one.ShouldBe(other, 1e-12);
        }
    }
}
