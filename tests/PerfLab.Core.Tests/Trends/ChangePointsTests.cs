using PerfLab.Core.Model;
using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Trends;

public sealed class ChangePointsTests
{
    [Fact]
    public void several_steps_are_found_where_they_are()
    {
        var values = Noise(90, (30, 10), (60, -6));
        var changes = ChangePoints.Of(values);
        changes.Select(change => change.Index).ShouldBe([30, 60]);
        changes[0].Size.ShouldBe(10, 1);
        changes[1].Size.ShouldBe(-6, 1);
        changes.ShouldAllBe(change => change.PValue < 0.001);
    }

    [Fact]
    public void what_went_up_and_came_back_is_seen() =>
        Places(Noise(100, (50, 5), (56, -5))).ShouldBe([50, 56], "a test that looks for one step sees neither");

    [Theory]
    [InlineData(12, 6, true)]
    [InlineData(12, 7, true)]
    [InlineData(13, 6, true)]
    [InlineData(13, 4, false)]
    [InlineData(14, 4, false)]
    [InlineData(15, 4, true)]
    [InlineData(10, 5, true)]
    [InlineData(9, 4, false)]
    public void short_series_need_as_many_points_after_a_step_as_can_be_rare(int points, int after, bool seen) =>
        Places(Noise(points, (points - after, 20))).ShouldBe(seen ? [points - after] : []);

    [Fact]
    public void a_p_falls_as_the_proof_grows()
    {
        double Chance(int after) => ChangePoints.Of(Noise(40 + after, (40, 20))).ShouldHaveSingleItem().PValue;
        Chance(4).ShouldBeInRange(1e-6, 0.01);
        Chance(8).ShouldBeLessThan(Chance(4) / 100);
        StepRule.Ratios.PValue(StepRule.Ratios.Bound(100), 100).ShouldBe(0.01, 1e-12);
    }

    [Fact]
    public void a_change_that_is_certain_stays_with_its_p_and_is_no_noise_of_what_lies_between()
    {
        var values = Noise(40, (20, 60), (30, 4));
        Places(values).ShouldBe([20], "beside the large step the small one is noise");
        ChangePoints.Of(values, [(20, 0.123)]).Select(change => (change.Index, IsKnown: change.PValue == 0.123)).ShouldBe([(20, true), (30, false)]);
        ChangePoints.Of(Noise(40), [(7, 0.5), (7, 0.6), (0, 0.1), (40, 0.1)]).ShouldHaveSingleItem().Index.ShouldBe(7);
        ChangePoints.Of(Noise(10), [(7, 0.5)]).ShouldHaveSingleItem().PValue.ShouldBe(0.5);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(12)]
    [InlineData(13)]
    [InlineData(1000)]
    public void series_of_any_length_of_noise_or_of_equal_values_have_no_change(int points)
    {
        double[] equal = [.. Enumerable.Repeat(7.1, points)];
        foreach (var values in new[] { Noise(points), equal })
        {
            ChangePoints.Of(values).ShouldBeEmpty();
            ChangePoints.OfRaw(values).ShouldBeEmpty();
        }
    }

    [Fact]
    public void a_hundred_thousand_points_are_searched_to_the_end()
    {
        var steps = Enumerable.Range(1, 99).Select(number => (1000 * number, number % 2 == 0 ? -4.0 : 4.0)).ToArray();
        Places(Noise(100_000, steps)).Count.ShouldBe(99);
    }

    [Fact]
    public void raw_values_are_searched_from_sixty_points_on()
    {
        ChangePoints.OfRaw(Noise(59, (30, 30))).ShouldBeEmpty();
        ChangePoints.OfRaw(Noise(60, (30, 30))).ShouldHaveSingleItem().Index.ShouldBe(30);
    }

    [Theory]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    [InlineData(double.NegativeInfinity)]
    public void what_is_no_number_is_passed_over_like_a_gap(double hole)
    {
        double[] values = [hole, hole, .. Noise(60, (30, 8)), hole];
        values[2 + 10] = values[2 + 29] = values[2 + 30] = hole;
        ChangePoints.Of(values).ShouldHaveSingleItem().Index.ShouldBe(2 + 31, "the first point after the step that has a value");
        ChangePoints.Of(values, [(2 + 30, 0.5)]).ShouldHaveSingleItem().PValue.ShouldBe(0.5);
        ChangePoints.OfRaw([.. Enumerable.Repeat(hole, 100)]).ShouldBeEmpty();
    }

    [Fact]
    public void a_series_read_backwards_has_the_same_places()
    {
        for (var run = 0; run < 50; run++)
        {
            var values = Noise(120, seed: (ulong)run, (40, 3), (90, -4));
            ChangePoints.Of([.. values.Reverse()]).Select(change => 120 - change.Index).Reverse().ShouldBe(ChangePoints.Of(values).Select(change => change.Index));
        }
    }

    private static List<int> Places(double[] values) => [.. ChangePoints.Of(values).Select(change => change.Index)];

    private static double[] Noise(int points, params (int At, double Size)[] steps) => Noise(points, 3, steps);

    private static double[] Noise(int points, ulong seed, params (int At, double Size)[] steps)
    {
        var random = SeededRandom.For(seed, "steps");
        return [.. Enumerable.Range(0, points).Select(at => random.NextNormal() + steps.Where(step => at >= step.At).Sum(step => step.Size))];
    }
}
