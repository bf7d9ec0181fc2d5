using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Statistics.Steady;

/// <summary>
/// Rows whose launches were measured while they warmed up. Launches are made up: 36 windows of 0.1 s, of which the first 6 are warm-up; head
/// is 10 % slower in every round, so that a row which is steady regresses.
/// </summary>
public sealed class NotSteadyTests
{
    private const int Windows = 36, WarmUp = 6;

    private static readonly Func<int, JsonObject> Steady = Launches(_ => 100, _ => 0);

    private static readonly Func<int, JsonObject> Compiling = Launches(_ => 100, window => window % 4 == 0 ? 30 : 2);

    [Fact]
    public void launches_that_are_at_rest_have_their_direction() =>
        Primary(Steady, Steady).Verdict.ShouldBe(Verdict.Regressed);

    [Fact]
    public void a_row_that_compiled_while_it_was_measured_has_no_direction_and_says_what_to_type()
    {
        var row = Primary(Steady, Compiling);
        row.Verdict.ShouldBe(Verdict.NotSteady);
        (row.Change, row.Low, row.High, row.PValue, row.AdjustedP, row.SmallestDetectable).ShouldBe((null, null, null, null, null, null));
        row.ArmValue.ShouldNotBeNull();
        row.WarmUpSeconds.ShouldBeNull();
        var warning = row.Warnings.ShouldHaveSingleItem();
        warning.ShouldStartWith("not-steady: 20 of 20 launches of arm head compiled until they were measured, or while they were. ");
        warning.ShouldContain("did not come to rest in the 3.6 s that it was watched: see its curve in report.html, or wait longer with --warm-up SECONDS");
        warning.ShouldEndWith("--age cold");
        warning.ShouldNotContain("--rounds");
    }

    [Fact]
    public void it_does_not_matter_which_arm_it_is_nor_which_is_slower()
    {
        Primary(Compiling, Steady).Verdict.ShouldBe(Verdict.NotSteady);
        Primary(Compiling, Steady, shift: -0.1).Verdict.ShouldBe(Verdict.NotSteady);
        Primary(Steady, Compiling, shift: -0.1).Verdict.ShouldBe(Verdict.NotSteady);
        Primary(Steady, Compiling, shift: 0).Verdict.ShouldBe(Verdict.NotSteady);
    }

    [Theory]
    [InlineData(10, Verdict.NotSteady)]
    [InlineData(9, Verdict.Regressed)]
    public void half_of_the_launches_of_an_arm_are_enough(int compiling, Verdict verdict) =>
        Primary(Steady, round => round < compiling ? Compiling(round) : Steady(round)).Verdict.ShouldBe(verdict);

    [Fact]
    public void it_is_counted_as_no_answer()
    {
        var comparison = Session(Steady, Compiling).Compare();
        (comparison.Summary.NotSteady, comparison.Summary.Regressed).ShouldBe((1, 0));
    }

    [Fact]
    public void rates_that_rise_in_every_launch_need_no_list_of_compiled_methods()
    {
        var row = Primary(Steady, Launches(window => window < 15 ? 60 : 100, null));
        row.Verdict.ShouldBe(Verdict.NotSteady);
        row.Warnings.ShouldHaveSingleItem().ShouldContain("arm head became faster while it was measured, by 67 % from the first third to the last");
        row.Warnings[0].ShouldContain("at rest after 1.6 s: --warm-up 2.");
        row.WarmUpSeconds.ShouldBe(2);
    }

    [Fact]
    public void a_rate_that_falls_for_ever_never_comes_to_rest()
    {
        var row = Primary(Steady, Launches(window => 100 * Math.Pow(0.995, window), _ => 0));
        row.Verdict.ShouldBe(Verdict.NotSteady);
        row.Warnings.ShouldHaveSingleItem().ShouldContain("arm head became slower while it was measured");
        row.WarmUpSeconds.ShouldBeNull();
    }

    [Fact]
    public void where_one_arm_settles_at_once_and_the_other_never_the_other_is_named()
    {
        var row = Primary(Launches(window => window < 4 ? 50 : 100, _ => 0), Launches(window => 40 + window, _ => 20));
        row.Verdict.ShouldBe(Verdict.NotSteady);
        row.Warnings.ShouldHaveSingleItem().ShouldContain("of arm head");
        row.Warnings[0].ShouldNotContain("base");
    }

    [Fact]
    public void who_was_at_rest_and_compiles_in_bulk_later_is_not_steady_either()
    {
        var row = Primary(Steady, round => WithRest(Launches(_ => 100, window => window is >= 20 and < 24 ? 40 : 0)(round), true, null));
        row.Verdict.ShouldBe(Verdict.NotSteady);
        row.WarmUpSeconds.ShouldBeNull("it was at rest when measuring began: no warm-up would have helped");
    }

    [Fact]
    public void one_window_in_which_the_runtime_compiles_its_own_timers_is_nothing() =>
        Primary(Steady, Launches(_ => 100, window => window == 30 ? 12 : 0)).Verdict.ShouldBe(Verdict.Regressed);

    [Fact]
    public void in_a_short_launch_one_such_window_is_a_tenth_and_still_nothing()
    {
        // Ten measured windows, as of BenchmarkDotNet's iterations.
        Func<int, JsonObject> Short(Func<int, int> compiled) => round =>
        {
            var evidence = Launches(_ => 100, compiled)(round);
            foreach (var name in new[] { "ends", "rates", "compiled" })
            {
                evidence["windows"]![name] = new JsonArray([.. evidence["windows"]![name]!.AsArray().Take(WarmUp + 10).Select(item => item!.DeepClone())]);
            }

            return evidence;
        };

        Primary(Steady, Short(window => window == 9 ? 12 : 0)).Verdict.ShouldBe(Verdict.Regressed);
        Primary(Steady, Short(window => window is 9 or 12 ? 12 : 0)).Verdict.ShouldBe(Verdict.NotSteady);
    }

    [Fact]
    public void what_the_launch_says_of_its_warm_up_counts_where_there_are_no_windows()
    {
        Primary(Steady, _ => WithRest([], false, "compiling")).Verdict.ShouldBe(Verdict.NotSteady);
        Primary(Steady, _ => WithRest([], false, "trend")).Verdict.ShouldBe(Verdict.NotSteady);
        Primary(Steady, _ => WithRest([], true, null)).Verdict.ShouldBe(Verdict.Regressed);
        Primary(Steady, round => WithRest(Steady(round), false, "compiling")).Verdict.ShouldBe(Verdict.NotSteady);
    }

    [Fact]
    public void a_trend_in_the_warm_up_that_the_measured_windows_do_not_show_was_a_neighbours() =>
        Primary(Steady, round => WithRest(Steady(round), false, "trend")).Verdict.ShouldBe(Verdict.Regressed);

    [Fact]
    public void two_modes_that_a_program_changes_between_at_any_time_are_noise_and_not_its_age()
    {
        var random = new Random(5);
        var modes = Enumerable.Range(0, 20).Select(_ => (Start: random.Next(2), At: random.Next(WarmUp + 4, Windows - 4))).ToList();
        Primary(Steady, round => Launches(window => (window < modes[round].At ? 0 : 1) == modes[round].Start ? 100 : 70, _ => 0)(round))
            .Verdict.ShouldBe(Verdict.Regressed);
    }

    [Fact]
    public void a_level_that_changes_in_some_launches_is_not_the_arms() =>
        Primary(Steady, round => Launches(window => round < 7 && window < 20 ? 70 : 100, _ => 0)(round)).Verdict.ShouldBe(Verdict.Regressed);

    [Fact]
    public void a_drift_that_moves_the_value_by_less_than_the_margin_is_let_pass() =>
        Primary(Steady, Launches(window => 100 + (0.05 * window), _ => 0)).Verdict.ShouldBe(Verdict.Regressed);

    [Fact]
    public void without_windows_nothing_is_known_and_nothing_said()
    {
        var row = Primary(_ => [], _ => []);
        (row.Verdict, row.Warnings.Count).ShouldBe((Verdict.Regressed, 0));
        Primary(Steady, _ => new JsonObject { ["rest"] = "yes" }).Verdict.ShouldBe(Verdict.Regressed);
    }

    [Fact]
    public void who_asked_for_the_start_up_gets_a_verdict_about_it()
    {
        var row = new SampleSetBuilder().Cell("c001").With(cell => cell with
        {
            Dimensions = new Dictionary<string, string> { [Cell.Age] = Cell.Cold },
        }).Filled(Stage.Confirm, 20, Compiling, Compiling, 0.1).Compare().Cells.Single(row => row.Primary);
        (row.Verdict, row.Warnings.Count).ShouldBe((Verdict.Regressed, 0));
    }

    [Fact]
    public void the_pair_stays_in_the_family_with_p_1_and_makes_nobody_elses_bound_milder()
    {
        // Its own p would be the smaller one, and would leave the other half of the bound.
        var cells = Session(Steady, Compiling).Cell("c002").Filled(Stage.Confirm, 20, Steady, Steady, 0.02).Compare().Cells.Where(row => row.Primary).ToList();
        cells[1].AdjustedP!.Value.ShouldBe(2 * cells[1].PValue!.Value);
        cells[1].Verdict.ShouldBe(Verdict.Regressed);
    }

    [Fact]
    public void a_repeat_that_was_not_at_rest_takes_the_direction_away()
    {
        var policy = new Policy { Repeats = 1 };
        Session(Steady, Steady).Filled(Stage.Repeat, 20, Steady, Compiling, 0.1).Compare(policy).Cells.Single(row => row.Primary).Verdict.ShouldBe(Verdict.NotSteady);
        Session(Steady, Steady).Filled(Stage.Repeat, 20, Steady, Steady, 0.1).Compare(policy).Cells.Single(row => row.Primary).Verdict.ShouldBe(Verdict.Regressed);
    }

    [Fact]
    public void a_session_of_one_arm_says_it_too()
    {
        SampleSetBuilder Alone(Func<int, JsonObject> evidence)
        {
            var session = new SampleSetBuilder().Cell("c001", "head");
            Enumerable.Range(0, 8).ToList().ForEach(round => session.Launched(Stage.Screen, round, "head", 100, evidence(round)));
            return session;
        }

        Alone(Compiling).Compare().Cells.Single(row => row.Primary).Verdict.ShouldBe(Verdict.NotSteady);
        Alone(Steady).Compare().Cells.Single(row => row.Primary).Verdict.ShouldBeNull();
    }

    [Fact]
    public void it_is_no_point_of_a_trend()
    {
        var samples = Session(Steady, Compiling).Build();
        SessionPoints.Of(samples, Comparer.Compare(samples, new(new Policy(), "defaults"))).Single(point => point.Row.Primary).LogChange.ShouldBeNull();
    }

    private static ComparedMetric Primary(Func<int, JsonObject> @base, Func<int, JsonObject> head, double shift = 0.1) =>
        Session(@base, head, shift).Compare().Cells.Single(row => row.Primary);

    private static SampleSetBuilder Session(Func<int, JsonObject> @base, Func<int, JsonObject> head, double shift = 0.1) =>
        new SampleSetBuilder().Cell("c001").Filled(Stage.Confirm, 20, @base, head, shift);

    /// <summary>The evidence of launches with such rates and so many methods compiled in each window; null: the runtime can't tell.</summary>
    private static Func<int, JsonObject> Launches(Func<int, double> rate, Func<int, int>? compiled) => _ =>
    {
        var windows = new JsonObject
        {
            ["warmUpSeconds"] = WarmUp / 10.0,
            ["ends"] = new JsonArray([.. Enumerable.Range(1, Windows).Select(window => (JsonNode)(window / 10.0))]),
            ["rates"] = new JsonArray([.. Enumerable.Range(0, Windows).Select(window => (JsonNode)rate(window))]),
        };
        if (compiled is not null)
        {
            windows["compiled"] = new JsonArray([.. Enumerable.Range(0, Windows).Select(window => (JsonNode)compiled(window))]);
        }

        return new() { ["windows"] = windows };
    };

    private static JsonObject WithRest(JsonObject evidence, bool atRest, string? why)
    {
        evidence["rest"] = new JsonObject { ["atRest"] = atRest, ["seconds"] = 0.6, ["least"] = 0.5, ["bound"] = 10, ["why"] = why };
        return evidence;
    }
}

internal static class RestfulLaunches
{
    /// <summary>Rounds of base and head, head slower by <paramref name="shift"/>, each launch with the evidence of its round.</summary>
    public static SampleSetBuilder Filled(
        this SampleSetBuilder session, Stage stage, int rounds, Func<int, JsonObject> @base, Func<int, JsonObject> head, double shift)
    {
        for (var round = 0; round < rounds; round++)
        {
            session.Launched(stage, round, "base", 100, @base(round))
                .Launched(stage, round, "head", 100 * Math.Exp(SampleSetBuilder.Quiet[round] + shift), head(round));
        }

        return session;
    }

    public static SampleSetBuilder Launched(this SampleSetBuilder session, Stage stage, int round, string arm, double value, JsonObject evidence) =>
        session.Launch(stage, round, arm, 0, launch => launch with
        {
            Metrics = new Dictionary<string, double> { ["time"] = value },
            Evidence = evidence,
        });
}
