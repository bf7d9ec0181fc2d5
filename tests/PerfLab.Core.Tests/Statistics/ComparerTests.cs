using System.Globalization;
using System.Text.Json;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>Which stage decides, and the words.</summary>
public sealed class ComparerTests
{
    private static SampleSetBuilder Cell(params string[] arms) => new SampleSetBuilder().Cell("c001", arms);

    private static double[] Shifted(double shift, int count = 20) => SampleSetBuilder.Shifted(shift, count);

    private static ComparedMetric Only(Comparison comparison) => comparison.Cells.ShouldHaveSingleItem();

    [Fact]
    public void a_confirmed_slow_down_beyond_the_margin_is_regressed()
    {
        var row = Only(Cell().Rounds(Stage.Screen, Shifted(0.05, 8)).Rounds(Stage.Confirm, Shifted(0.05)).Compare());

        row.Verdict.ShouldBe(Verdict.Regressed);
        (row.Cell, row.Arm, row.Reference, row.Metric, row.Primary, row.Unit).ShouldBe(("c001", "head", "base", "time", true, "s"));
        (row.Stage, row.Rounds).ShouldBe((Stage.Confirm, 20));
        row.PValue.ShouldBe(Math.Pow(0.5, 20));
        row.AdjustedP.ShouldBe(Math.Pow(0.5, 20));
        row.Change!.Value.ShouldBe(Math.Exp(new WalshAverages(Shifted(0.05)).Centre) - 1, 1e-11);
        row.Low!.Value.ShouldBeLessThan(row.Change.Value);
        row.High!.Value.ShouldBeGreaterThan(row.Change.Value);
        row.ReferenceValue.ShouldBe(100);
        row.ArmValue!.Value.ShouldBe(105, 0.5);
        row.Warnings.ShouldBeEmpty();
    }

    [Fact]
    public void a_confirmed_speed_up_beyond_the_margin_is_improved() =>
        Only(Cell().Rounds(Stage.Screen, Shifted(-0.05, 8)).Rounds(Stage.Confirm, Shifted(-0.05)).Compare())
            .Verdict.ShouldBe(Verdict.Improved);

    [Fact]
    public void where_higher_is_better_a_larger_value_is_an_improvement_and_plus_still_means_worse()
    {
        var row = Only(new SampleSetBuilder().Cell("c001", [SampleSetBuilder.Time with { Better = Better.Higher }])
            .Rounds(Stage.Screen, Shifted(0.05, 8)).Rounds(Stage.Confirm, Shifted(0.05)).Compare());

        row.Verdict.ShouldBe(Verdict.Improved);
        row.Change!.Value.ShouldBe(Math.Exp(-new WalshAverages(Shifted(0.05)).Centre) - 1, 1e-11);
    }

    [Fact]
    public void a_significant_change_inside_the_margin_is_not_called()
    {
        var row = Only(Cell().Rounds(Stage.Screen, Shifted(0.03, 8)).Rounds(Stage.Confirm, Shifted(0.03)).Compare(new() { Margin = 0.1 }));

        row.AdjustedP!.Value.ShouldBeLessThan(0.01);
        row.Verdict.ShouldBe(Verdict.Unchanged);
    }

    [Theory]
    [InlineData(0.01)]
    [InlineData(0.03)]
    public void a_change_of_exactly_the_margin_is_called_whatever_the_last_bits_of_its_logarithm(double margin)
    {
        double[] exact = [.. Enumerable.Repeat(Math.Log(1 + margin), 20)];
        var policy = new Policy { Margin = margin };

        Only(Cell().Rounds(Stage.Screen, exact[..8]).Rounds(Stage.Confirm, exact).Compare(policy)).Verdict.ShouldBe(Verdict.Regressed);
        Only(Cell().Rounds(Stage.Screen, [.. exact[..8].Select(d => -d)]).Rounds(Stage.Confirm, [.. exact.Select(d => -d)]).Compare(policy))
            .Verdict.ShouldBe(Verdict.Improved);
    }

    [Fact]
    public void a_pair_that_was_not_kept_is_judged_by_its_screen_and_never_called_regressed()
    {
        var row = Only(Cell().Rounds(Stage.Screen, Shifted(0.3, 8)).Compare());

        row.Verdict.ShouldBe(Verdict.Undecided);
        (row.Stage, row.Rounds, row.PValue, row.AdjustedP).ShouldBe((Stage.Screen, 8, 2.0 / 256, 1.0));
        row.SmallestDetectable.ShouldNotBeNull();
        row.Warnings.ShouldHaveSingleItem().ShouldStartWith("the screen (p 0.0078) asks for a confirm stage");
    }

    [Fact]
    public void an_interval_inside_the_margin_is_unchanged() =>
        Only(Cell().Rounds(Stage.Screen, [.. Shifted(0, 8).Select(d => d / 10)]).Compare()).Verdict.ShouldBe(Verdict.Unchanged);

    [Fact]
    public void arms_with_the_same_values_throughout_are_unchanged()
    {
        var row = Only(Cell().Rounds(Stage.Screen, new double[8]).Compare());

        row.Verdict.ShouldBe(Verdict.Unchanged);
        (row.Change, row.PValue, row.Noise).ShouldBe((0.0, 1.0, 0.0));
    }

    [Fact]
    public void the_confirm_stage_tests_only_the_direction_of_the_screen()
    {
        var row = Only(Cell().Rounds(Stage.Screen, Shifted(-0.05, 8)).Rounds(Stage.Confirm, Shifted(0.05)).Compare());

        row.PValue.ShouldBe(1);
        row.Verdict.ShouldBe(Verdict.Undecided);
    }

    [Fact]
    public void without_screen_rounds_the_test_is_two_sided()
    {
        Only(Cell().Rounds(Stage.Confirm, Shifted(-0.05)).Compare()).Verdict.ShouldBe(Verdict.Improved);
        Only(Cell().Rounds(Stage.Confirm, Shifted(0.05)).Compare()).PValue.ShouldBe(2 * Math.Pow(0.5, 20));
    }

    [Fact]
    public void the_family_is_every_kept_pair_of_the_session_over_cells_and_arms()
    {
        var comparison = Cell("base", "head", "other")
            .Rounds(Stage.Confirm, Shifted(0.05)).Arm(Stage.Confirm, Shifted(0.008), "other")
            .Cell("c002").Rounds(Stage.Confirm, Shifted(0.007))
            .Cell("c003").Rounds(Stage.Screen, Shifted(0, 8))
            .Compare();

        comparison.Cells.Select(row => (row.Cell, row.Arm))
            .ShouldBe([("c001", "head"), ("c001", "other"), ("c002", "head"), ("c003", "head")]);
        comparison.Cells[0].AdjustedP.ShouldBe(3 * comparison.Cells[0].PValue!.Value);
        comparison.Summary.Regressed.ShouldBe(1);
        comparison.Summary.Undecided.ShouldBe(3);
    }

    [Fact]
    public void a_kept_pair_that_came_to_nothing_stays_in_the_family_with_p_1()
    {
        var comparison = Cell().Rounds(Stage.Confirm, Shifted(0.05))
            .Cell("c002").Lost(Stage.Confirm, 0, "base").Lost(Stage.Confirm, 0, "head")
            .Compare();

        comparison.Cells[0].AdjustedP.ShouldBe(2 * comparison.Cells[0].PValue!.Value);
        (comparison.Cells[1].PValue, comparison.Cells[1].AdjustedP, comparison.Cells[1].Verdict).ShouldBe((1.0, 1.0, Verdict.Failed));
    }

    [Fact]
    public void noise_of_the_screen_makes_an_undecided_cell_too_noisy()
    {
        double[] wild = [.. Shifted(0, 8).Select(d => 20 * d)];

        Only(Cell().Rounds(Stage.Screen, wild).Compare()).Verdict.ShouldBe(Verdict.TooNoisy);
        Only(Cell().Rounds(Stage.Screen, wild).Rounds(Stage.Confirm, Shifted(0.008)).Compare()).Verdict.ShouldBe(Verdict.TooNoisy);
        Only(Cell().Rounds(Stage.Screen, Shifted(0, 8)).Rounds(Stage.Confirm, [.. Shifted(0).Select(d => 20 * d)]).Compare())
            .Verdict.ShouldBe(Verdict.Undecided);
        Only(Cell().Rounds(Stage.Confirm, [.. Shifted(0).Select(d => 20 * d)]).Compare()).Verdict.ShouldBe(Verdict.TooNoisy);
    }

    [Fact]
    public void a_row_that_is_too_noisy_says_how_many_rounds_would_show_something()
    {
        double[] wild = [.. Shifted(0, 20).Select(d => 5 * d)];
        var row = Only(Cell().Rounds(Stage.Confirm, wild).Compare());

        var rounds = SmallestDetectable.Rounds(0.05, row.Noise!.Value, 1, LogRatios.MostRounds, new())!.Value;
        rounds.ShouldBeInRange(20, 200);
        row.Warnings.ShouldHaveSingleItem().ShouldStartWith(
            string.Create(CultureInfo.InvariantCulture, $"to see a change of 5 % at this noise, measure this row alone with about --rounds 0+{rounds} ("));
        Only(Cell().Rounds(Stage.Confirm, [.. wild.Select(d => 200 * d)]).Compare()).Warnings.ShouldHaveSingleItem().ShouldEndWith("more than 2000 rounds would be needed: a quieter machine would help (--wait 30m waits for one)");
    }

    [Fact]
    public void noise_never_overrides_a_change_that_was_found()
    {
        var row = Only(Cell().Rounds(Stage.Screen, [.. Shifted(0.05, 8).Select(d => 10 * d)])
            .Rounds(Stage.Confirm, [.. Shifted(0.05).Select(d => 10 * d)]).Compare());

        row.Noise!.Value.ShouldBeGreaterThan(0.05);
        row.Verdict.ShouldBe(Verdict.Regressed);
    }

    [Fact]
    public void metrics_that_are_not_primary_get_an_interval_and_no_verdict()
    {
        Metric[] metrics = [new("memory", "B", Better.Lower), SampleSetBuilder.Time];

        var rows = new SampleSetBuilder().Cell("c001", metrics).Rounds(Stage.Screen, Shifted(0.05, 8)).Compare().Cells;

        rows.Select(row => row.Metric).ShouldBe(["memory", "time"]);
        rows[0].Low.ShouldNotBeNull();
        (rows[0].Verdict, rows[0].PValue, rows[0].AdjustedP).ShouldBe((null, null, null));
        rows[1].Verdict.ShouldBe(Verdict.Undecided);
    }

    [Fact]
    public void the_same_samples_give_the_same_comparison_in_every_culture_and_order_of_cells_is_the_plans()
    {
        var before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo("de-DE");
            var german = Text(Noisy());
            CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
            Text(Noisy()).ShouldBe(german);
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }

        static Comparison Noisy() => Cell("base", "head")
            .Rounds(Stage.Screen, Shifted(0.013, 8)).Rounds(Stage.Confirm, Shifted(0.0123))
            .Lost(Stage.Confirm, 20, "head").Measured(Stage.Confirm, 20, "base", 0.5).Compare();

        static string Text(Comparison comparison) => JsonSerializer.Serialize(comparison);
    }
}
