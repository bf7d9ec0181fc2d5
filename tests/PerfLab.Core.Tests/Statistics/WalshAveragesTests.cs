using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Tests.Statistics;

public sealed class WalshAveragesTests
{
    [Fact]
    public void the_textbook_example_has_its_published_centre_and_interval()
    {
        // Hollander, Wolfe, examples 3.3 and 3.4, with the sign turned: centre 0.46, 96.1 % interval [0.010, 0.786].
        var walsh = new WalshAverages(SignedRankTests.Depression);
        var interval = walsh.Interval(0.95)!.Value;

        walsh.Centre.ShouldBe(0.46, 1e-12);
        interval.Low.ShouldBe(0.010, 1e-12);
        interval.High.ShouldBe(0.786, 1e-12);
        interval.Coverage.ShouldBe(1 - (20.0 / 512), 1e-12);
    }

    [Fact]
    public void three_differences_have_six_averages() =>
        new WalshAverages([3, 1, 2]).Sorted.ShouldBe([1, 1.5, 2, 2, 2.5, 3]);

    [Theory]
    [InlineData(6)]
    [InlineData(8)]
    [InlineData(11)]
    public void the_interval_holds_exactly_the_shifts_that_counting_all_signs_does_not_reject(int n)
    {
        var random = SeededRandom.For(2, $"interval {n}");
        double[] differences = [.. Enumerable.Range(0, n).Select(_ => random.NextNormal())];
        var interval = new WalshAverages(differences).Interval(0.95)!.Value;
        var level = 1 - interval.Coverage;

        Rejects(interval.Low - 1e-6).ShouldBeTrue();
        Rejects(interval.Low + 1e-6).ShouldBeFalse();
        Rejects((interval.Low + interval.High) / 2).ShouldBeFalse();
        Rejects(interval.High - 1e-6).ShouldBeFalse();
        Rejects(interval.High + 1e-6).ShouldBeTrue();

        bool Rejects(double shift)
        {
            var (above, below) = SignCounting.Tails([.. differences.Select(difference => difference - shift)]);
            return 2 * Math.Min(above, below) <= level + 1e-12;
        }
    }

    [Fact]
    public void five_rounds_have_no_95_percent_interval() => new WalshAverages([1, 2, 3, 4, 5]).Interval(0.95).ShouldBeNull();

    [Fact]
    public void no_differences_have_no_centre() => Should.Throw<ArgumentOutOfRangeException>(() => new WalshAverages([]).Centre);
}
