using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>What was flagged once counts only when it is there every time.</summary>
public sealed class HoldingTests
{
    private static readonly Policy TwoSessions = new() { Repeats = 1 };

    private static readonly Policy ThreeSessions = new() { Repeats = 2 };

    private static double[] Shifted(double shift, int count = 20) => SampleSetBuilder.Shifted(shift, count);

    private static SampleSetBuilder Flagged(double shift = 0.05) =>
        new SampleSetBuilder().Cell("c001").Rounds(Stage.Screen, Shifted(shift, 8)).Rounds(Stage.Confirm, Shifted(shift));

    [Theory]
    [InlineData(0.05, Verdict.Regressed)]
    [InlineData(-0.05, Verdict.Improved)]
    public void what_a_repeat_sees_too_stays_flagged_and_shows_both_sessions(double shift, Verdict verdict)
    {
        var row = Flagged(shift).Rounds(Stage.Repeat, Shifted(shift * 0.8)).Compare(TwoSessions).Cells.Single();

        row.Verdict.ShouldBe(verdict);
        row.Sessions.ShouldNotBeNull().Select(session => (session.Agrees, session.Rounds)).ShouldBe([(true, 20), (true, 20)]);
        row.Sessions[1].Change!.Value.ShouldBe(Math.Exp(new WalshAverages(Shifted(shift * 0.8)).Centre) - 1, 1e-11);
        Math.Abs(row.Change!.Value).ShouldBe(0.045, 0.002);
        row.Low!.Value.ShouldBeLessThan(row.Change.Value);
        row.Warnings.ShouldBeEmpty();
    }

    [Theory]
    [InlineData(0)] // nothing there
    [InlineData(-0.05)] // the other direction
    [InlineData(0.008)] // sure, and inside the margin
    public void what_a_repeat_does_not_see_does_not_hold(double again)
    {
        var comparison = Flagged().Rounds(Stage.Repeat, Shifted(again)).Compare(TwoSessions);

        var row = comparison.Cells.Single();
        row.Verdict.ShouldBe(Verdict.DoesNotHold);
        row.Sessions!.Select(session => session.Agrees).ShouldBe([true, false]);
        (comparison.Summary.DoesNotHold, comparison.Summary.Regressed).ShouldBe((1, 0));
    }

    [Fact]
    public void every_repeat_has_to_agree()
    {
        Flagged().Rounds(Stage.Repeat, [.. Shifted(0.05), .. Shifted(0.05)]).Compare(ThreeSessions).Cells.Single()
            .Verdict.ShouldBe(Verdict.Regressed);
        Flagged().Rounds(Stage.Repeat, [.. Shifted(0.05), .. Shifted(0)]).Compare(ThreeSessions).Cells.Single()
            .Verdict.ShouldBe(Verdict.DoesNotHold);
    }

    [Fact]
    public void a_repeat_with_too_few_rounds_agrees_to_nothing()
    {
        var row = Flagged().Rounds(Stage.Repeat, Shifted(0.05, 12)).Compare(TwoSessions).Cells.Single();

        row.Verdict.ShouldBe(Verdict.DoesNotHold);
        row.Sessions![1].Rounds.ShouldBe(12);
    }

    [Fact]
    public void an_arm_that_fails_in_the_repeat_does_not_hold()
    {
        var session = Flagged();
        Enumerable.Range(0, 20).ToList().ForEach(round => session.Measured(Stage.Repeat, round, "base", 100).Lost(Stage.Repeat, round, "head"));

        session.Compare(TwoSessions).Cells.Single().Verdict.ShouldBe(Verdict.DoesNotHold);
    }

    [Fact]
    public void a_flag_that_was_never_measured_again_says_so()
    {
        var row = Flagged().Compare(TwoSessions).Cells.Single();

        row.Verdict.ShouldBe(Verdict.Regressed);
        row.Warnings.ShouldHaveSingleItem().ShouldContain("was to be measured again, and was not");
        Flagged().Rounds(Stage.Repeat, Shifted(0.05)).Compare(ThreeSessions).Cells.Single()
            .Warnings.ShouldHaveSingleItem().ShouldContain("1 of 2 times");
    }

    [Fact]
    public void repeats_only_take_away()
    {
        var quiet = new SampleSetBuilder().Cell("c001").Rounds(Stage.Screen, Shifted(0, 8)).Rounds(Stage.Repeat, Shifted(0.05));

        var row = quiet.Compare(TwoSessions).Cells.Single();

        (row.Verdict, row.Sessions).ShouldBe((Verdict.Undecided, null));
    }

    [Fact]
    public void rounds_beyond_what_the_plan_repeats_count_for_nothing()
    {
        var row = Flagged().Rounds(Stage.Repeat, [.. Shifted(0.05), .. Shifted(0)]).Compare(TwoSessions).Cells.Single();

        (row.Verdict, row.Sessions!.Count).ShouldBe((Verdict.Regressed, 2));
        Flagged().Rounds(Stage.Repeat, Shifted(0)).Compare().Cells.Single().Sessions.ShouldBeNull();
    }

    // Quantiles of any table of Student's t.
    [Theory]
    [InlineData(1, 0.975, 12.7062)]
    [InlineData(2, 0.975, 4.3027)]
    [InlineData(3, 0.975, 3.1824)]
    [InlineData(4, 0.975, 2.7764)]
    [InlineData(9, 0.975, 2.2622)]
    [InlineData(9, 0.995, 3.2498)]
    [InlineData(2, 0.75, 0.8165)]
    public void the_quantiles_of_t_are_those_of_the_tables(int degrees, double probability, double quantile) =>
        StudentT.Quantile(degrees, probability).ShouldBe(quantile, 0.00005);

    [Fact]
    public void sessions_that_agree_are_weighted_by_their_noise_and_do_not_differ()
    {
        var pooled = RandomEffects.Of([(0.05, 0.0001), (0.054, 0.0003)], 0.95);

        pooled.Centre.ShouldBe(0.051, 1e-12);
        pooled.Spread.ShouldBe(0);
        (pooled.High - pooled.Centre).ShouldBe(12.7062 * Math.Sqrt(1 / ((1 / 0.0001) + (1 / 0.0003))), 1e-5);
    }

    [Fact]
    public void sessions_that_differ_say_by_how_much()
    {
        // Equal variances: the spread between is that of the centres without the part that the noise explains.
        var pooled = RandomEffects.Of([(0.02, 0.0001), (0.06, 0.0001), (0.10, 0.0001)], 0.95);

        pooled.Centre.ShouldBe(0.06, 1e-12);
        pooled.Spread.ShouldBe(Math.Sqrt(0.0016 - 0.0001), 1e-12);
        (pooled.High - pooled.Centre).ShouldBe(4.3027 * Math.Sqrt(0.0016 / 3), 1e-5);
        (pooled.Centre - pooled.Low).ShouldBe(pooled.High - pooled.Centre, 1e-12);
    }

    [Fact]
    public void sessions_without_any_noise_are_pooled_too() => RandomEffects.Of([(0.05, 0), (0.05, 0)], 0.95).Centre.ShouldBe(0.05, 1e-12);
}
