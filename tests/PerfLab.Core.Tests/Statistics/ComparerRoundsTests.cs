using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>Which rounds count: attempts, voids, failures.</summary>
public sealed class ComparerRoundsTests
{
    private static SampleSetBuilder Screened(int rounds = 8, params string[] arms) =>
        new SampleSetBuilder().Cell("c001", arms).Rounds(Stage.Screen, SampleSetBuilder.Shifted(0, rounds));

    private static ComparedMetric Head(SampleSetBuilder builder) => builder.Compare().Cells.First(row => row.Arm == "head");

    [Fact]
    public void few_rounds_that_were_asked_for_are_undecided_however_far_apart()
    {
        var row = FewRounds(2.5, 5);
        (row.Verdict, row.Rounds, row.AdjustedP, row.PValue).ShouldBe((Verdict.Undecided, 5, 1, 1 / 16.0));
        row.Warnings.ShouldBeEmpty();
        FewRounds(0, 12).Verdict.ShouldBe(Verdict.Undecided, "twelve could be unchanged, and five could not: no number decides here");
    }

    [Fact]
    public void of_few_rounds_those_that_are_whole_show_the_direction_and_none_is_a_failure()
    {
        FewRounds(2.5, 3).Warnings[0].ShouldBe("no verdict: 3 complete confirm rounds, at least 13 are needed");
        FewRounds(2.5, 0).Verdict.ShouldBe(Verdict.Failed);
    }

    /// <summary>So many whole rounds of five, or of as many as there are.</summary>
    private static ComparedMetric FewRounds(double shift, int whole)
    {
        var builder = new SampleSetBuilder().Cell("c001").Rounds(Stage.Confirm, SampleSetBuilder.Shifted(shift, whole));
        for (var round = whole; round < 5; round++)
        {
            builder.Measured(Stage.Confirm, round, "base", 100).Lost(Stage.Confirm, round, "head");
        }

        return builder.Compare(new() { ScreenRounds = 0, ConfirmRounds = Math.Max(5, whole) }).Cells.First(row => row.Arm == "head");
    }

    [Fact]
    public void a_round_counts_by_its_last_attempt()
    {
        var row = Head(Screened(7)
            .Lost(Stage.Screen, 7, "head").Measured(Stage.Screen, 7, "base", 100)
            .Measured(Stage.Screen, 7, "head", 200, attempt: 1).Measured(Stage.Screen, 7, "base", 100, attempt: 1));

        row.Rounds.ShouldBe(8);
        row.Warnings.ShouldHaveSingleItem().ShouldBe("arm head: 1 of 9 launches gave no value: 1 failed with exit code 139");
    }

    [Fact]
    public void a_later_attempt_that_failed_takes_an_earlier_one_with_it() =>
        Head(Screened(8).Measured(Stage.Screen, 7, "base", 100, attempt: 1).Lost(Stage.Screen, 7, "head", attempt: 1)).Rounds.ShouldBe(7);

    [Fact]
    public void a_void_strikes_an_attempt_and_leaves_the_one_before() =>
        Head(Screened(8)
            .Measured(Stage.Screen, 7, "base", 100, attempt: 1).Lost(Stage.Screen, 7, "head", attempt: 1)
            .Void(Stage.Screen, 7, attempt: 1)).Rounds.ShouldBe(8);

    [Fact]
    public void a_void_of_the_only_attempt_takes_the_round_away()
    {
        Head(Screened(8).Void(Stage.Screen, 3)).Rounds.ShouldBe(7);
        Head(Screened(8).Void(Stage.Confirm, 3)).Rounds.ShouldBe(8);
    }

    [Fact]
    public void a_half_finished_repeat_does_not_count() =>
        Head(Screened(8).Measured(Stage.Screen, 7, "base", 100, attempt: 1)).Rounds.ShouldBe(7);

    [Fact]
    public void the_fourth_repeat_and_later_ones_are_not_used()
    {
        var builder = Screened(8).Measured(Stage.Screen, 7, "base", 1, attempt: 4).Measured(Stage.Screen, 7, "head", 50, attempt: 4);

        Head(builder).Rounds.ShouldBe(8);
        Head(builder).Change.ShouldBe(Head(Screened(8)).Change);
        builder.Compare().Warnings.ShouldHaveSingleItem().ShouldContain("2 launches are of a fourth or later repeat");
    }

    [Fact]
    public void an_arm_that_failed_does_not_take_the_pairs_of_another_with_it()
    {
        var rows = Screened(8, "base", "head", "other").Arm(Stage.Screen, SampleSetBuilder.Shifted(0.01, 7), "other")
            .Lost(Stage.Screen, 7, "other").Compare().Cells;

        rows.Select(row => (row.Arm, row.Rounds)).ShouldBe([("head", 8), ("other", 7)]);
    }

    [Fact]
    public void a_reference_that_failed_takes_all_pairs_of_its_round() =>
        Head(Screened(7).Lost(Stage.Screen, 7, "base").Measured(Stage.Screen, 7, "head", 100)).Rounds.ShouldBe(7);

    [Fact]
    public void fewer_than_six_screen_rounds_give_no_verdict()
    {
        var row = Head(Screened(5).Lost(Stage.Screen, 5, "head", Outcome.TimedOut).Measured(Stage.Screen, 5, "base", 100));

        row.Verdict.ShouldBe(Verdict.Failed);
        row.Warnings.ShouldBe(
        [
            "no verdict: 5 complete screen rounds, at least 6 are needed",
            "arm head: 1 of 6 launches gave no value: 1 timed-out",
        ]);
    }

    [Fact]
    public void six_screen_rounds_give_one_with_a_warning()
    {
        var row = Head(Screened(6));

        row.Verdict.ShouldBe(Verdict.Undecided);
        row.Warnings.ShouldBe(["6 of 8 screen rounds are complete"]);
    }

    [Theory]
    [InlineData(12, Verdict.Failed, "no verdict: 12 complete confirm rounds, at least 13 are needed")]
    [InlineData(13, Verdict.Regressed, "13 of 20 confirm rounds are complete")]
    public void an_unfinished_confirm_stage_counts_with_the_rounds_it_has(int rounds, Verdict verdict, string warning)
    {
        var row = Head(Screened(8).Rounds(Stage.Confirm, SampleSetBuilder.Shifted(0.05, rounds)));

        row.Verdict.ShouldBe(verdict);
        row.Warnings.ShouldBe([warning]);
    }

    [Fact]
    public void a_session_that_was_cut_says_so()
    {
        Screened().Compare(complete: true).Warnings.ShouldBeEmpty();
        Screened().Compare(complete: false).Warnings.ShouldHaveSingleItem().ShouldContain("no end record");
    }
}
