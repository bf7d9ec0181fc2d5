using PerfLab.Calibration;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Tests.Statistics;

public sealed class SmallestDetectableTests
{
    private static readonly Policy NoMargin = new() { Margin = 0 };

    [Theory]
    [InlineData(20, true, 1.11)]
    [InlineData(50, true, 1.14)]
    [InlineData(200, true, 1.22)]
    [InlineData(500, true, 1.28)]
    [InlineData(1, false, 0.86)]
    [InlineData(5, false, 1.03)]
    public void without_a_margin_it_is_this_many_times_the_noise(int pairs, bool screened, double factor) =>
        Log(SmallestDetectable.Change(0.001, pairs, screened, NoMargin)).ShouldBe(factor * 0.001, 0.0000055);

    [Theory]
    [InlineData(1, 1.29)]
    [InlineData(1.5, 1.70)]
    [InlineData(2, 2.19)]
    [InlineData(4, 4.19)]
    public void a_margin_takes_over_where_noise_is_small(double marginToNoise, double factor)
    {
        var noise = Math.Log(1.01) / marginToNoise;

        Log(SmallestDetectable.Change(noise, 200, true, new())).ShouldBe(factor * noise, 0.006 * noise);
    }

    [Fact]
    public void between_the_rows_and_columns_it_is_interpolated()
    {
        var between = SmallestDetectable.Change(0.01, 100, true, NoMargin);

        between.ShouldNotBeNull();
        between.Value.ShouldBeInRange(
            SmallestDetectable.Change(0.01, 50, true, NoMargin)!.Value, SmallestDetectable.Change(0.01, 200, true, NoMargin)!.Value);
    }

    [Fact]
    public void it_never_falls_below_the_margin()
    {
        SmallestDetectable.Change(0, 200, true, new())!.Value.ShouldBe(0.01, 1e-12);
        SmallestDetectable.Change(0, 200, true, NoMargin).ShouldBe(0);
    }

    [Fact]
    public void stricter_rules_than_those_of_the_table_have_no_figure()
    {
        SmallestDetectable.Change(0.01, 200, true, new() { FamilyError = 0.001 }).ShouldBeNull();
        SmallestDetectable.Change(0.01, 200, true, new() { KeepP = 0.05 }).ShouldBeNull();
        SmallestDetectable.Change(0.01, 5, false, new() { KeepP = 0.05, ScreenRounds = 0 }).ShouldNotBeNull();
    }

    [Fact]
    public void more_confirm_rounds_see_smaller_changes_as_a_simulation_of_them_says()
    {
        var policy = NoMargin with { ScreenRounds = 10, ConfirmRounds = 30 };
        var simulated = new DetectableTable(policy, seed: 5, cells: 20_000).Simulate();

        Log(SmallestDetectable.Change(1, 200, true, policy)).ShouldBe(simulated[4][0], 0.05);
    }

    [Theory]
    [InlineData(8, true)]
    [InlineData(0, false)]
    public void the_shipped_table_is_what_the_simulation_gives(int screenRounds, bool screened)
    {
        var simulated = new DetectableTable(new() { ScreenRounds = screenRounds }, seed: 6, cells: 20_000).Simulate();
        var shipped = screened ? SmallestDetectableTable.Screened : SmallestDetectableTable.Straight;

        // The 80th percentile of 20,000 has a standard error of about 0.004.
        for (var row = 0; row < shipped.Count; row++)
        {
            for (var column = 0; column < shipped[row].Count; column++)
            {
                simulated[row][column].ShouldBe(shipped[row][column], 0.025, $"row {row}, column {column}");
            }
        }

        DetectableTable.Pairs.ShouldBe(SmallestDetectableTable.Pairs);
        DetectableTable.MarginToNoise.ShouldBe(SmallestDetectableTable.MarginToNoise);
    }

    [Theory]
    [InlineData(0.01)]
    [InlineData(0.004)]
    public void a_change_of_that_size_is_found_four_times_in_five(double noise)
    {
        var change = SmallestDetectable.Change(noise, 50, true, new())!.Value;
        var scenario = new Scenario { Shape = NoiseShape.Normal, Cells = 50, Slower = 1, Change = change, Scale = noise / Math.Sqrt(2) };
        var (found, of) = Power.Measure(new("smallest detectable", Seed: 7, Repetitions: 3000, Tallies: 1), scenario);

        // Standard error 0.7 points.
        ((double)found / of).ShouldBe(0.80, 0.025);
    }

    private static double Log(double? change) => Math.Log(1 + change!.Value);
}
