using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

public sealed class GoingOnTests
{
    private static readonly Policy Minutes = new() { ScreenRounds = 0, Within = 10 };

    /// <summary>No ties and no zeros, all in one direction.</summary>
    private static double[] Up(int count, double from = 0.01) => [.. Enumerable.Range(1, count).Select(size => from + (0.0001 * size))];

    private static double[] Quiet(double scale, double shift = 0, int count = 20) =>
        [.. SampleSetBuilder.Quiet.Take(count).Select((value, round) => shift + (scale * value) + (1e-7 * round * round))];

    private static Standing At(double[] rounds, int reach, int members = 1, Policy? policy = null) =>
        new(policy ?? Minutes, members, Direction: 0, rounds.Length == 20, reach);

    [Fact]
    public void the_planned_rounds_alone_have_their_share_of_the_error() =>
        StagedTest.PValue(Up(20), [], 1).ShouldBe(SignedRank.Test(Up(20)).Above / StagedTest.FirstShare);

    [Fact]
    public void both_directions_cost_twice_and_the_wrong_one_shows_nothing()
    {
        StagedTest.PValue(Up(20), Up(20), 0).ShouldBe(2 * StagedTest.PValue(Up(20), Up(20), 1));
        StagedTest.PValue(Up(20), Up(20), -1).ShouldBe(1);
    }

    [Fact]
    public void fresh_rounds_can_make_it_clear_and_never_take_back_what_the_planned_ones_showed()
    {
        var unclear = Quiet(1, 0.006);
        StagedTest.PValue(unclear, Quiet(1, 0.02), 1).ShouldBeLessThan(StagedTest.PValue(unclear, [], 1) / 10);
        StagedTest.PValue(Up(20), Quiet(1, -0.02), 1).ShouldBe(StagedTest.PValue(Up(20), [], 1));
    }

    [Fact]
    public void rounds_that_all_say_the_other_direction_are_made_up_for_by_nothing()
    {
        double[] down = [.. Up(20).Select(value => -value)];
        StagedTest.PValue(down, Up(60), 1).ShouldBe(1);
    }

    [Fact]
    public void a_quiet_row_ends_as_soon_as_its_interval_lies_inside_the_margin()
    {
        GoingOnRule.After(Quiet(0.2, count: 8), At(Quiet(0.2, count: 8), 20)).ShouldBe(EndReason.Unchanged);
        GoingOnRule.After(Quiet(0.2, count: 7), At(Quiet(0.2, count: 7), 20)).ShouldBeNull("seven rounds have no interval of 99 %");
    }

    [Fact]
    public void a_change_ends_a_row_only_when_exactly_the_planned_rounds_are_over()
    {
        GoingOnRule.After(Up(20), At(Up(20), 100)).ShouldBe(EndReason.Decided);
        GoingOnRule.After(Up(13), At(Up(13), 100)).ShouldBeNull("who ends at every clear moment flags too much");
        GoingOnRule.After(Up(30), At(Up(30), 100)).ShouldBeNull();
    }

    [Fact]
    public void a_noisy_row_ends_when_the_minutes_can_t_show_anything_and_goes_on_when_they_can()
    {
        var noisy = Quiet(20);
        GoingOnRule.After(noisy, At(noisy, reach: 22)).ShouldBe(EndReason.Futile);
        GoingOnRule.After(noisy, At(noisy, reach: 2000)).ShouldBeNull();
    }

    [Fact]
    public void what_is_asked_for_grows_with_the_noise_and_with_the_family()
    {
        var some = GoingOnRule.Asked(Quiet(2, 0.02), At(Quiet(2), 0));
        some.ShouldBeGreaterThan(GoingOnRule.LeastFresh);
        GoingOnRule.Asked(Quiet(4, 0.02), At(Quiet(4), 0)).ShouldBeGreaterThan(some);
        GoingOnRule.Asked(Quiet(2, 0.02), At(Quiet(2), 0, members: 100)).ShouldBeGreaterThan(some);
        GoingOnRule.Asked(Quiet(0.5), At(Quiet(0.5), 0)).ShouldBe(GoingOnRule.LeastFresh, "almost unchanged already");
    }

    [Fact]
    public void who_asks_for_least_comes_first_and_the_last_gets_what_is_left()
    {
        GoingOnRule.Share([(100, 2.0), (20, 1.0), (int.MaxValue, 1.0)], 240).ShouldBe([100, 20, 20]);
        GoingOnRule.Share([(100, 2.0), (20, 1.0)], 25).ShouldBe([0, 20], "two rounds are not worth going on for");
        GoingOnRule.Share([(10, 0.0)], 0).ShouldBe([10], "nobody knows how long it takes");
        GoingOnRule.Share([(10, 1.0)], 0).ShouldBe([0]);
    }

    [Fact]
    public void a_row_that_ended_for_nothing_stays_in_the_family_with_p_1()
    {
        var session = new SampleSetBuilder().Cell("c001").Rounds(Stage.Confirm, Up(13)).Ended(13, EndReason.Futile)
            .Cell("c002").Rounds(Stage.Confirm, Up(20, 0.05)).Ended(20, EndReason.Decided);
        var rows = session.Compare(Minutes).Cells;
        (rows[0].PValue, rows[0].AdjustedP, rows[0].Ended).ShouldBe((1, 1, EndReason.Futile));
        rows[1].Verdict.ShouldBe(Verdict.Regressed);
        rows[1].AdjustedP!.Value.ShouldBe(2 * rows[1].PValue!.Value, 1e-12);
    }

    [Fact]
    public void a_row_that_ended_for_nothing_after_its_planned_rounds_keeps_what_they_say()
    {
        var rounds = Up(30, 0.002);
        var row = new SampleSetBuilder().Cell("c001").Rounds(Stage.Confirm, rounds).Ended(30, EndReason.Unchanged).Compare(Minutes).Cells.Single();
        row.PValue!.Value.ShouldBe(StagedTest.PValue(rounds.AsSpan(0, 20), [], 0), 1e-12);
        row.Verdict.ShouldBe(Verdict.Unchanged, "its change is clear and too small to matter");
    }

    [Theory]
    [InlineData(EndReason.Futile, "ended after 20 rounds: no verdict could come of it within 10 min")]
    [InlineData(EndReason.OutOfMinutes, "out of minutes after 20 rounds (--within 10m): more minutes would go on")]
    [InlineData(EndReason.Measured, "went on to 20 rounds, because 20 did not decide it")]
    public void a_row_says_why_it_ended(EndReason why, string sentence) =>
        new SampleSetBuilder().Cell("c001").Rounds(Stage.Confirm, Quiet(3)).Ended(20, why).Compare(Minutes).Cells.Single()
            .Warnings.ShouldContain(sentence);

    [Fact]
    public void an_undecided_row_that_the_screen_did_not_keep_says_that_no_minutes_are_for_it()
    {
        const string Note = "the screen did not keep it, so it had 8 rounds and no more, whatever minutes were left: "
            + "measured alone it has no screen, and goes on";
        var screened = Minutes with { ScreenRounds = 8 };
        ComparedMetric Row(double[] rounds, Policy policy) =>
            new SampleSetBuilder().Cell("c001").Rounds(Stage.Screen, rounds).Compare(policy).Cells.Single();

        var row = Row(Quiet(1, count: 8), screened);
        (row.Verdict, row.Stage).ShouldBe((Verdict.Undecided, Stage.Screen));
        row.Warnings.ShouldBe([Note]);
        Row(Quiet(1, count: 8), screened with { Within = 0 }).Warnings.ShouldBeEmpty("there is no time that it could have had");
        Row(Quiet(0.2, count: 8), screened).Verdict.ShouldBe(Verdict.Unchanged);
        Row(Quiet(0.2, count: 8), screened).Warnings.ShouldBeEmpty("it has its answer");
        Row(Up(8, 0.05), screened).Warnings.ShouldNotContain(Note, "it was kept, and the session was cut");
        var kept = new SampleSetBuilder().Cell("c001").Rounds(Stage.Screen, Up(8, 0.02)).Rounds(Stage.Confirm, Quiet(1));
        kept.Ended(20, EndReason.OutOfMinutes).Compare(screened).Cells.Single().Warnings
            .ShouldBe(["out of minutes after 20 rounds (--within 10m): more minutes would go on"]);
    }

    [Fact]
    public void too_few_rounds_are_no_failure_when_the_minutes_were_over()
    {
        var row = new SampleSetBuilder().Cell("c001").Rounds(Stage.Confirm, Quiet(3, count: 4)).Ended(4, EndReason.OutOfMinutes)
            .Compare(Minutes).Cells.Single();
        row.Verdict.ShouldBe(Verdict.Undecided);
        row.Warnings.ShouldBe(["out of minutes after 4 rounds (--within 10m): more minutes would go on"]);
    }

    [Fact]
    public void the_interval_of_a_session_with_minutes_is_wider_and_so_is_what_could_have_been_seen()
    {
        var session = new SampleSetBuilder().Cell("c001").Rounds(Stage.Confirm, Quiet(1)).Ended(20, EndReason.OutOfMinutes);
        var (late, minutes) = (session.Compare(Minutes with { Within = 0 }).Cells.Single(), session.Compare(Minutes).Cells.Single());
        minutes.High!.Value.ShouldBeGreaterThan(late.High!.Value);
        minutes.SmallestDetectable!.Value.ShouldBeGreaterThan(late.SmallestDetectable!.Value);
    }

    [Fact]
    public void a_pair_that_ends_twice_is_damage()
    {
        var session = new SampleSetBuilder().Cell("c001").Build().Header;
        var end = new PairEnd("c001", "head", 8, EndReason.Unchanged);
        byte[] Journal(params JournalRecord[] records) => [.. records.Prepend(session).Index().SelectMany(one => JournalLine.Of(one.Index, one.Item))];
        JournalReader.Read(Journal(end)).Samples!.Ends.ShouldBe([end with { Seq = 1 }]);
        JournalReader.Read(Journal(end, end)).Damage!.ShouldContain("a pair that ends twice");
        JournalReader.Read(Journal(end with { Arm = "base" })).Damage!.ShouldContain("that its cell does not have");
    }

    [Fact]
    public void a_journal_of_the_rule_that_is_gone_is_refused_with_what_to_do()
    {
        var header = new SampleSetBuilder().Cell("c001").Build().Header with { Policy = new() { StopEarly = true } };
        var damage = JournalReader.Read(JournalLine.Of(0, header)).Damage!;
        damage.ShouldContain("policy.stop-early: is gone");
        damage.ShouldContain("needs the perf-lab that made it");
        var old = header with { Policy = new() { StopEarly = false } };
        JournalReader.Read(JournalLine.Of(0, old)).Damage.ShouldBeNull();
    }

    [Fact]
    public void minutes_and_repeats_do_not_go_together() =>
        PolicyRules.Problems(Minutes with { Repeats = 1 }, 1).ShouldHaveSingleItem().ToString().ShouldContain("does not go with repeats");

    [Theory]
    [InlineData(2, 121, "Ask for 3m or more")]
    [InlineData(2, 120, null)]
    [InlineData(0, 1000, null)]
    public void minutes_that_hold_no_answer_are_refused_with_those_that_would(double minutes, double seconds, string? advice) =>
        PolicyRules.TooFewMinutes(Minutes with { Within = minutes }, seconds)?.ToString().ShouldContain(advice ?? "nothing");
}
