using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

public sealed class PolicyRulesTests
{
    [Theory]
    [InlineData(1, 7)]
    [InlineData(4, 9)]
    [InlineData(16, 11)]
    [InlineData(39, 12)]
    [InlineData(60, 13)]
    public void kept_pairs_need_this_many_confirm_rounds(int kept, int rounds) =>
        PolicyRules.ConfirmRoundsNeeded(kept, 0.01).ShouldBe(rounds);

    [Fact]
    public void without_a_screen_the_test_is_two_sided_and_takes_a_round_more() =>
        PolicyRules.ConfirmRoundsNeeded(4, 0.01, screened: false).ShouldBe(10);

    [Fact]
    public void eight_rounds_attain_a_keep_level_of_0_078() => PolicyRules.AttainedKeepLevel(new()).ShouldBe(20.0 / 256);

    [Theory]
    [InlineData(0, 5, true)]
    [InlineData(0, 12, true)]
    [InlineData(0, 13, false)]
    [InlineData(0, 0, false)]
    [InlineData(8, 5, false)]
    public void only_few_rounds_without_a_screen_can_be_asked_for_as_a_direction(int screen, int confirm, bool can)
    {
        var policy = new Policy { ScreenRounds = screen, ConfirmRounds = confirm };
        PolicyRules.ShowDirectionOnly(policy).ShouldBe(can);
        PolicyRules.Problems(policy, 1, wantsDirection: true).Count.ShouldBe(PolicyRules.Problems(policy, 1).Count - (can ? 1 : 0));
        PolicyRules.ShowDirectionOnly(policy with { Within = 5 }).ShouldBeFalse();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(200)]
    [InlineData(500)]
    public void the_defaults_work(int pairs)
    {
        PolicyRules.Problems(new(), pairs).ShouldBeEmpty();
        PolicyRules.Problems(PolicyRules.ForPairs(new(), pairs), pairs).ShouldBeEmpty();
    }

    [Fact]
    public void up_to_five_pairs_there_is_no_screen()
    {
        PolicyRules.ForPairs(new(), 5).ShouldBe(new() { ScreenRounds = 0 });
        PolicyRules.ForPairs(new(), 6).ShouldBe(new());
    }

    [Theory]
    [InlineData(4, 20, "screen-rounds", "5 would, and 6 give a verdict")]
    [InlineData(5, 20, "screen-rounds", "6 would")]
    [InlineData(8, 12, "confirm-rounds", "at least 13")]
    [InlineData(8, 0, "confirm-rounds", "at least 13")]
    [InlineData(0, 14, "confirm-rounds", "at least 16")]
    public void rounds_that_can_not_work_are_refused_with_the_number_that_would(int screen, int confirm, string where, string number)
    {
        var problem = PolicyRules.Problems(new() { ScreenRounds = screen, ConfirmRounds = confirm }, 200).ShouldHaveSingleItem();

        problem.Where.ShouldBe(where);
        problem.ToString().ShouldContain(number);
    }

    [Fact]
    public void a_stricter_keep_p_needs_a_longer_screen() =>
        PolicyRules.Problems(new() { KeepP = 0.005 }, 200).ShouldHaveSingleItem().What.ShouldContain("9 would");

    [Fact]
    public void a_session_that_compares_nothing_may_have_any_rounds() =>
        PolicyRules.Problems(new() { ScreenRounds = 1, ConfirmRounds = 0 }, 0).ShouldBeEmpty();

    [Fact]
    public void all_values_out_of_range_are_told_at_once()
    {
        var policy = new Policy { KeepP = 0, FamilyError = 1, Interval = double.NaN, TooNoisy = -1, Margin = -0.01, ScreenRounds = -1 };

        PolicyRules.Problems(policy, 200).Select(problem => problem.Where)
            .ShouldBe(["keep-p", "family-error", "interval", "too-noisy", "margin", "rounds"]);
    }
}
