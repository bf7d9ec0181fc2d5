using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

public sealed class StageRuleTests
{
    private static readonly Policy Default = new();

    [Fact]
    public void a_small_two_sided_p_is_kept_with_the_direction_that_was_seen()
    {
        var slower = StageRule.AfterScreen(SampleSetBuilder.Shifted(0.05, 8), Default);

        slower.ShouldBe(new ScreenDecision(Kept: true, PValue: 2.0 / 256, Direction: 1, Equivalent: false));
        StageRule.AfterScreen(SampleSetBuilder.Shifted(-0.05, 8), Default).Direction.ShouldBe(-1);
    }

    [Fact]
    public void a_large_p_is_not_kept() => StageRule.AfterScreen(SampleSetBuilder.Shifted(0, 8), Default).Kept.ShouldBeFalse();

    [Fact]
    public void keep_p_is_the_last_p_that_is_kept()
    {
        double[] screen = [-0.05, 0.06, 0.07, 0.08, 0.09, 0.10, 0.11, 0.12];
        var p = StageRule.AfterScreen(screen, Default).PValue;

        StageRule.AfterScreen(screen, Default with { KeepP = p }).Kept.ShouldBeTrue();
        StageRule.AfterScreen(screen, Default with { KeepP = Math.BitDecrement(p) }).Kept.ShouldBeFalse();
    }

    [Fact]
    public void a_clear_but_meaningless_change_stops_as_equivalent()
    {
        double[] tiny = [0.001, 0.002, 0.003, 0.0015, 0.0025, 0.0035, 0.0012, 0.0022];

        StageRule.AfterScreen(tiny, Default).ShouldBe(new ScreenDecision(Kept: false, PValue: 2.0 / 256, Direction: 1, Equivalent: true));
        StageRule.AfterScreen(tiny, Default with { Margin = 0.003 }).Kept.ShouldBeTrue();
    }

    [Fact]
    public void seven_rounds_have_no_99_percent_interval_and_so_no_equivalence_stop() =>
        StageRule.AfterScreen([0.001, 0.002, 0.003, 0.0015, 0.0025, 0.0035, 0.0012], Default).Kept.ShouldBeTrue();

    [Fact]
    public void fewer_than_six_screen_rounds_keep_nothing() =>
        StageRule.AfterScreen([0.1, 0.2, 0.3, 0.4, 0.5], Default with { KeepP = 0.5 }).Kept.ShouldBeFalse();

    [Fact]
    public void the_confirm_stage_tests_only_the_direction_of_the_screen()
    {
        var slower = SampleSetBuilder.Shifted(0.05);

        StageRule.ConfirmPValue(slower, 1).ShouldBe(Math.Pow(0.5, 20));
        StageRule.ConfirmPValue(slower, -1).ShouldBe(1);
        StageRule.ConfirmPValue(slower, 0).ShouldBe(2 * Math.Pow(0.5, 20));
    }

    [Fact]
    public void fewer_than_thirteen_confirm_rounds_count_as_p_1()
    {
        StageRule.ConfirmPValue(SampleSetBuilder.Shifted(0.05, 12), 1).ShouldBe(1);
        StageRule.ConfirmPValue(SampleSetBuilder.Shifted(0.05, 13), 1).ShouldBe(Math.Pow(0.5, 13));
    }
}
