using PerfLab.Calibration;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Tests.Statistics.Steady;

public sealed class SteadyRuleTests
{
    [Fact]
    public void a_launch_at_one_level_is_steady_from_its_first_window()
    {
        var state = Judge(36, _ => 1);
        state.Kind.ShouldBe(SteadyKind.Steady);
        state.Seconds.ShouldBe(0.1);
        state.Watched.ShouldBe(3.6, 1e-9);
    }

    [Fact]
    public void time_to_steady_is_the_end_of_the_first_window_at_the_last_level()
    {
        var state = Judge(36, window => window < 12 ? 0.4 : 1);
        state.Kind.ShouldBe(SteadyKind.Steady);
        state.Seconds!.Value.ShouldBe(1.3, 1e-9);
    }

    [Fact]
    public void several_steps_of_a_warm_up_count_up_to_the_last_one() =>
        Judge(36, window => window switch { < 5 => 0.3, < 11 => 0.6, _ => 1 }).Seconds!.Value.ShouldBe(1.2, 1e-9);

    [Fact]
    public void a_detour_that_comes_back_to_its_level_ends_the_waiting_when_it_is_back() =>
        Judge(40, window => window is >= 6 and < 18 ? 0.7 : 1).Seconds!.Value.ShouldBe(1.9, 1e-9);

    [Fact]
    public void a_change_of_level_in_the_last_half_is_no_steady_state()
    {
        var state = Judge(36, window => window < 25 ? 1 : 0.8);
        state.Kind.ShouldBe(SteadyKind.NoSteadyState);
        state.Reason.ShouldBe(UnsteadyReason.LevelChanged);
        state.Seconds.ShouldBeNull();
    }

    [Fact]
    public void a_change_of_level_below_the_margin_does_not_matter() =>
        Judge(200, window => window < 140 ? 1 : 0.993, spread: 0.001).Kind.ShouldBe(SteadyKind.Steady);

    [Fact]
    public void a_launch_that_creeps_is_no_steady_state_at_two_percent_in_ten_seconds_and_is_one_at_a_half()
    {
        // Less than a change of level that matters, 20 s long and quiet: only the slope can tell.
        Judge(40, window => 1 + (0.002 * window / 10), spread: 0.0005).Kind.ShouldBe(SteadyKind.NoSteadyState);
        Judge(40, window => 1 + (0.0005 * window / 10 / 10), spread: 0.0005).Kind.ShouldBe(SteadyKind.Steady);
    }

    [Fact]
    public void single_stalls_and_the_rhythm_of_collections_are_part_of_a_steady_launch()
    {
        Judge(36, window => window == 30 ? 0.1 : 1).Kind.ShouldBe(SteadyKind.Steady);
        Judge(36, window => window % 7 == 3 ? 0.6 : 1).Seconds.ShouldBe(0.1);
    }

    [Fact]
    public void a_slow_start_too_short_for_a_level_is_skipped() =>
        Judge(36, window => window < 2 ? 0.5 : 1).Seconds!.Value.ShouldBe(0.3, 1e-9);

    [Fact]
    public void steady_begins_when_bulk_compilation_has_ended_though_the_rate_stays()
    {
        var series = Series(36, _ => 1) with { Compiled = [.. Enumerable.Range(0, 36).Select(window => window is 2 or 7 ? 60 : window % 3)] };
        SteadyRule.Judge(series).Seconds!.Value.ShouldBe(0.9, 1e-9, "from window 8 on, five quiet ones follow");
    }

    [Fact]
    public void compiling_in_bulk_all_the_time_is_no_steady_state() =>
        SteadyRule.Judge(Series(36, _ => 1) with { Compiled = [.. Enumerable.Repeat(40, 36)] }).Reason.ShouldBe(UnsteadyReason.Compiling);

    [Theory]
    [InlineData(9, SteadyKind.Unknown)]
    [InlineData(10, SteadyKind.Steady)]
    public void fewer_than_ten_windows_say_nothing(int windows, SteadyKind kind) => Judge(windows, _ => 1).Kind.ShouldBe(kind);

    [Fact]
    public void a_launch_that_did_nothing_at_all_is_no_crash() => Judge(36, _ => 0).Kind.ShouldBe(SteadyKind.Steady);

    [Fact]
    public void how_often_each_noise_is_labelled_and_each_unrest_found_is_within_its_aim() =>
        SteadyLabels.Rows(new(Size.Short, Seed: 20260101)).Where(row => !row.Passed).Select(FigureTable.Line).ShouldBeEmpty();

    private static SteadyState Judge(int windows, Func<int, double> level, double spread = 0.01) =>
        SteadyRule.Judge(Series(windows, level, spread));

    /// <summary>Windows of 100 ms with a little normal noise from a fixed seed.</summary>
    private static WindowSeries Series(int windows, Func<int, double> level, double spread = 0.01)
    {
        var random = new SeededRandom(7);
        return new()
        {
            Rates = [.. Enumerable.Range(0, windows).Select(window => 4e7 * level(window) * (1 + (spread * random.NextNormal())))],
            Ends = [.. Enumerable.Range(1, windows).Select(window => 0.1 * window)],
            WarmUpSeconds = Math.Min(0.6, 0.1 * windows),
        };
    }
}
