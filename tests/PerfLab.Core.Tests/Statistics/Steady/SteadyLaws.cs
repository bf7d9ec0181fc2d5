using FsCheck;
using FsCheck.Fluent;
using PerfLab.Calibration;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Tests.Statistics.Steady;

/// <summary>What must hold for any windows.</summary>
public sealed class SteadyLaws
{
    private static readonly Arbitrary<int[]> Rates = Gen.Choose(0, 60).ArrayOf().Where(values => values.Length is >= 10 and <= 60).ToArbitrary();

    [Fact]
    public void the_unit_of_work_does_not_change_the_answer() =>
        Holds(rates => Judge([.. rates.Select(rate => rate * 1024)]) == Judge(rates));

    [Fact]
    public void the_unit_of_work_may_be_any_number_where_no_rate_lies_on_a_limit() => Holds(rates =>
    {
        // Irrational steps: no difference of rates is exactly 1 % of a level, where rounding could decide.
        double[] apart = [.. rates.Select((rate, window) => 100 + rate + Math.Sqrt(window))];
        return Judge([.. apart.Select(rate => rate * 0.3)]) == Judge(apart);
    });

    [Fact]
    public void steady_launches_have_a_time_within_the_launch_and_others_have_none() => Holds(rates =>
    {
        var state = Judge(rates);
        return state.Kind == SteadyKind.Steady
            ? state.Seconds > 0 && state.Seconds <= state.Watched && state.Reason == UnsteadyReason.None
            : state.Seconds is null && state.Reason != UnsteadyReason.None;
    });

    [Fact]
    public void turned_upside_down_the_changes_are_at_the_same_places() => Holds(rates =>
    {
        double[] turned = [.. rates.Select(rate => 100 - rate)];
        return Levels.Changes(rates).SequenceEqual(Levels.Changes(turned));
    });

    [Fact]
    public void no_part_between_two_changes_is_shorter_than_the_least() => Holds(rates =>
    {
        int[] cuts = [0, .. Levels.Changes(rates), rates.Length];
        return cuts.Zip(cuts.Skip(1)).All(pair => pair.Second - pair.First >= RankCusum.LeastPart);
    });

    [Theory]
    [InlineData(15, 2)]
    [InlineData(36, 3)]
    [InlineData(180, 4)]
    public void a_change_is_seen_in_one_of_a_hundred_random_orders_of_any_length(int count, ulong seed)
    {
        const int Orders = 4000;
        var random = new SeededRandom(seed);
        var values = Enumerable.Range(0, count).Select(value => (double)value).ToArray();
        var (low, high) = (0.5 * RankCusum.Level, 1.2 * RankCusum.Level);
        var interval = ClopperPearson.Interval(Enumerable.Range(0, Orders).Count(_ => RankCusum.Change([.. random.Shuffle(values)]) is not null), Orders);
        interval.Low.ShouldBeLessThan(high);
        interval.High.ShouldBeGreaterThan(low);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(50)]
    public void the_table_is_what_the_simulation_gives(int count) =>
        (RankCusumBound.Of(count), RankCusumBound.RareOf(count)).ShouldSatisfyAllConditions(
            table => table.Item1.ShouldBe(RankCusumSimulation.Bounds(count, 20_000, seed: 5).Bound, 0.04),
            table => table.Item2.ShouldBe(RankCusumSimulation.Bounds(count, 20_000, seed: 5).Rare, 0.25));

    [Fact]
    public void a_slope_is_that_of_the_line_and_wild_values_do_not_bend_it()
    {
        double[] times = [.. Enumerable.Range(0, 41).Select(window => 0.1 * window)];
        double[] values = [.. times.Select(time => 100 + (2 * (time - 2)))];
        values[7] = values[30] = 1e9;
        Slope.BeyondChance(values, times)!.Value.ShouldBe(0.02, 0.001);
        Slope.BeyondChance([.. times.Select(_ => 5.0)], times).ShouldBeNull();
    }

    private static SteadyState Judge(double[] rates) => SteadyRule.Judge(new()
    {
        Rates = rates,
        Ends = [.. Enumerable.Range(1, rates.Length).Select(window => 0.125 * window)],
        WarmUpSeconds = 0.5,
    });

    private static void Holds(Func<double[], bool> law) =>
        Prop.ForAll(Rates, values => law([.. values.Select(value => (double)value)])).QuickCheckThrowOnFailure();
}
