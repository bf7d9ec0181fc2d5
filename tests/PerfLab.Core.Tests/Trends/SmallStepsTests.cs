using PerfLab.Calibration;
using static System.FormattableString;

namespace PerfLab.Core.Tests.Trends;

/// <summary>The budget of many small steps over simulated histories; results/small-steps.md has two thousand of each kind.</summary>
public sealed class SmallStepsTests
{
    private const int Histories = 60;

    [Theory]
    [InlineData(0.0025, 0)]
    [InlineData(0.005, 0.0005)]
    public void of_ten_steps_of_eight_tenths_of_a_percent_the_budget_speaks_at_the_seventh(double noise, double apart)
    {
        var counts = Counts(noise, apart);
        counts[..(SmallSteps.Right - 1)].Sum().ShouldBeLessThanOrEqualTo(1, "before the budget is spent");
        counts[SmallSteps.Right - 1].ShouldBeGreaterThan(Histories * 8 / 10);
        counts[(SmallSteps.Right + 1)..(SmallSteps.Steps + 1)].Sum().ShouldBe(0, "later than one step after");
    }

    [Theory]
    [InlineData(0.005, 0)]
    [InlineData(0.02, 0)]
    [InlineData(0.005, 0.002)]
    public void a_change_of_nothing_is_hardly_ever_flagged_although_main_is_beyond_its_budget(double noise, double apart) =>
        Counts(noise, apart)[^1].ShouldBeLessThanOrEqualTo(Histories / 20);

    private static long[] Counts(double noise, double apart) => SeededRuns.Sum(
        new(Invariant($"tested steps {noise} {apart}"), 7, Histories, SmallSteps.Tallies),
        () => (random, counters) => SmallSteps.Count(random, noise, apart, counters));
}
