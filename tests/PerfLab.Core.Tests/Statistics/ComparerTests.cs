using PerfLab.Core.Measurements;
using PerfLab.Core.Statistics;

namespace PerfLab.Core.Tests.Statistics;

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
        row.Stage.ShouldBe(Stage.Confirm);
        row.Rounds.ShouldBe(20);
        row.PValue.ShouldBe(Math.Pow(0.5, 20));
        row.AdjustedP.ShouldBe(Math.Pow(0.5, 20));
        row.Change!.Value.ShouldBe(Math.Exp(0.05) - 1, 0.002);
        row.Low!.Value.ShouldBeLessThan(row.Change.Value);
        row.High!.Value.ShouldBeGreaterThan(row.Change.Value);
        row.Warnings.ShouldBeEmpty();
    }

    [Fact]
    public void a_confirmed_speed_up_beyond_the_margin_is_improved() =>
        Only(Cell().Rounds(Stage.Screen, Shifted(-0.05, 8)).Rounds(Stage.Confirm, Shifted(-0.05)).Compare()).Verdict.ShouldBe(Verdict.Improved);
}
