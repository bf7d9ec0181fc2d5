using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics.Looks;

public sealed class EarlyStopTests
{
    private static readonly Policy Policy = new() { ScreenRounds = 0, StopEarly = true };

    private static SampleSetBuilder Session(double shift, int rounds) =>
        new SampleSetBuilder().Cell("c001").Rounds(Stage.Confirm, Shifted(shift, rounds));

    /// <summary>The builder's noise, without ties.</summary>
    private static double[] Shifted(double shift, int rounds) =>
        [.. SampleSetBuilder.Shifted(shift, rounds).Select((difference, round) => difference + (1e-7 * round * round))];

    private static ComparedMetric Row(SampleSetBuilder session) => session.Compare(Policy).Cells.ShouldHaveSingleItem();

    [Fact]
    public void a_clear_change_is_decided_at_the_second_look_and_an_unclear_one_at_none()
    {
        EarlyStop.Decided(Session(0.1, 8).Build(), Policy, 8).ShouldBeEmpty("8 rounds have no p that is small enough");
        EarlyStop.Decided(Session(0.1, 12).Build(), Policy, 12).ShouldBe([("c001", "head")]);
        EarlyStop.Decided(Session(0, 20).Build(), Policy, 20).ShouldBeEmpty();
    }

    [Fact]
    public void a_change_below_the_margin_is_measured_on() =>
        EarlyStop.Decided(Session(0.1, 12).Build(), Policy with { Margin = 0.2 }, 12).ShouldBeEmpty();

    [Fact]
    public void a_look_does_not_know_later_rounds() =>
        EarlyStop.Decided(Session(0.1, 16).Build(), Policy, 8).ShouldBeEmpty();

    [Fact]
    public void without_looks_nothing_stops() =>
        EarlyStop.Decided(Session(0.1, 12).Build(), Policy with { StopEarly = false }, 12).ShouldBeEmpty();

    [Fact]
    public void pairs_share_the_error()
    {
        var many = new SampleSetBuilder();
        for (var cell = 0; cell < 40; cell++)
        {
            many.Cell($"c{cell:000}").Rounds(Stage.Confirm, Shifted(0.1, 12));
        }

        EarlyStop.Decided(many.Build(), Policy, 12).ShouldBeEmpty("0.05 % for each is not reached in 12 rounds and both directions");
    }

    [Fact]
    public void the_row_says_at_which_look_and_what_was_spent()
    {
        var row = Row(Session(0.1, 12));
        row.Verdict.ShouldBe(Verdict.Regressed);
        row.Rounds.ShouldBe(12);
        row.Warnings.ShouldHaveSingleItem().ShouldStartWith("stopped early: decided at look 2 of 4, after 12 of 20 rounds; ");
        row.Warnings[0].ShouldContain("of this row's error of 1 % at most 0.");
        row.AdjustedP!.Value.ShouldBeGreaterThan(Row(Session(0.1, 20)).AdjustedP!.Value);
    }

    [Fact]
    public void a_session_that_was_cut_says_how_many_rounds_are_complete()
    {
        var row = Row(Session(0, 12));
        row.Verdict.ShouldBe(Verdict.Undecided);
        row.Warnings.ShouldHaveSingleItem().ShouldBe("12 of 20 confirm rounds are complete");
        Row(Session(0.1, 13)).Warnings.ShouldHaveSingleItem().ShouldBe("13 of 20 confirm rounds are complete");
    }

    [Fact]
    public void fewer_rounds_than_the_first_look_give_no_verdict() => Row(Session(0.1, 7)).Verdict.ShouldBe(Verdict.Failed);

    [Fact]
    public void what_could_have_been_seen_is_a_little_larger()
    {
        var late = Session(0, 20).Compare(Policy with { StopEarly = false, Margin = 0 }).Cells.Single().SmallestDetectable!.Value;
        var early = Session(0, 20).Compare(Policy with { Margin = 0 }).Cells.Single().SmallestDetectable!.Value;
        (Math.Log(1 + early) / Math.Log(1 + late)).ShouldBe(1.07, 0.001);
    }
}
