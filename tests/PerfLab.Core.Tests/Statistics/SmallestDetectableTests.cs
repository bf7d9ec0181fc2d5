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

    [Theory]
    [InlineData(0.05)]
    [InlineData(0.10)]
    public void so_many_rounds_find_it_four_times_in_five(double noise)
    {
        var rounds = SmallestDetectable.Rounds(0.05, noise, 1, 2000, new())!.Value;
        var policy = new Policy { ScreenRounds = 0, ConfirmRounds = rounds };
        var random = new Random(20261122);
        const int Sessions = 2000;

        var found = Enumerable.Range(0, Sessions).Count(_ =>
        {
            double[] differences = [.. Enumerable.Range(0, rounds).Select(_ => Math.Log(1.05) + (noise * Normal(random)))];
            return SignedRank.Test(differences).TwoSided <= policy.FamilyError && Math.Exp(new WalshAverages(differences).Centre) - 1 >= policy.Margin;
        });

        // Standard error 0.9 points; the law of the table's root of rounds is good for 4 % of the change, which is 5 points of power here.
        (found / (double)Sessions).ShouldBe(0.80, 0.07);
        SmallestDetectable.Rounds(0.05, noise, 1, rounds - 1, new()).ShouldBeNull();
    }

    [Fact]
    public void what_no_number_of_rounds_shows_has_none()
    {
        SmallestDetectable.Rounds(0.05, 5, 1, 2000, new()).ShouldBeNull();
        SmallestDetectable.Rounds(0.01, 0.02, 1, 2000, new() { Margin = 0.02 }).ShouldBeNull("below the margin nothing is flagged");
    }

    private static double Normal(Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());

    private static double Log(double? change) => Math.Log(1 + change!.Value);
}
