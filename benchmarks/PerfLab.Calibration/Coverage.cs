using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Calibration;

/// <summary>G4: whether the intervals hold what they say, before selection, as printed, and at the margin.</summary>
public static class Coverage
{
    /// <summary>True changes of the rows "as printed", in units of noise.</summary>
    public static IReadOnlyList<double> TrueChanges { get; } = [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3];

    public static IEnumerable<FigureRow> Rows(Run run)
    {
        var before =
            from shape in NoiseShapes.All
            from rounds in new[] { 8, 20 }
            select BeforeSelection(run, shape, rounds);
        var printed =
            from shape in NoiseShapes.All
            let unit = shape.PrintedNoise()
            from change in TrueChanges
            select AsPrinted(run, new(shape, 0.01 / unit, 0.01 * change), change);
        var margin = from noise in new[] { 0.0025, 0.005, 0.0075, 0.01 } select AtTheMargin(run, noise);
        return before.Concat(printed).Concat(margin);
    }

    private static FigureRow BeforeSelection(Run run, NoiseShape shape, int rounds)
    {
        var (_, attained) = SignedRankNull.IntervalRank(rounds, new Policy().Interval);
        var name = $"{shape}, {rounds} rounds, before selection";
        var covered = Count(run, name, random => Covers(new WalshAverages(Draw(new(shape, 1, 0), rounds, random)).Interval(0.95), 0));
        return Judge(run, name, covered, new(100 * attained, 0.5));
    }

    private static FigureRow AsPrinted(Run run, SimulatedCell cell, double change)
    {
        var name = FormattableString.Invariant($"{cell.Shape}, as printed, true change {change} x noise");
        var covered = Count(run, name, random => Covers(Printed(cell, random), cell.Shift));
        var interval = ClopperPearson.Interval(covered, run.Size.Cells);
        var share = (double)covered / run.Size.Cells;
        return new("G4", name, "covers >= 94 %", 100 * share, 100 * interval.Low, (run.Size == Size.Full ? share : interval.High) >= 0.94);
    }

    /// <summary>Counts every interval inside the margin, also of pairs that would be flagged: never less than the real rate.</summary>
    private static FigureRow AtTheMargin(Run run, double noise)
    {
        var margin = PracticalMargin.Of(new Policy());
        var cell = new SimulatedCell(NoiseShape.Normal, noise / Math.Sqrt(2), margin.Log);
        var name = FormattableString.Invariant($"unchanged though the true change is the margin, noise {100 * noise} %");
        var wrong = Count(run, name, random => Printed(cell, random) is { } interval && margin.Contains(interval));
        var bound = ClopperPearson.Interval(wrong, run.Size.Cells);
        var share = (double)wrong / run.Size.Cells;
        return new("G4", name, "<= 4 %", 100 * share, 100 * bound.High, (run.Size == Size.Full ? share : bound.Low) <= 0.04);
    }

    /// <summary>
    /// The interval that the report prints: of the confirm stage when the screen keeps the pair, otherwise of the screen.
    /// </summary>
    private static SignedRankInterval? Printed(SimulatedCell cell, SeededRandom random)
    {
        var policy = new Policy();
        var screen = Draw(cell, policy.ScreenRounds, random);
        var deciding = StageRule.AfterScreen(screen, policy).Kept ? Draw(cell, policy.ConfirmRounds, random) : screen;
        return new WalshAverages(deciding).Interval(policy.Interval);
    }

    private static bool Covers(SignedRankInterval? interval, double truth) =>
        interval is { } range && range.Low <= truth && truth <= range.High;

    private static double[] Draw(SimulatedCell cell, int rounds, SeededRandom random)
    {
        var differences = new double[rounds];
        for (var round = 0; round < rounds; round++)
        {
            differences[round] = cell.Shift + (cell.Scale * cell.Shape.Difference(random));
        }

        return differences;
    }

    private static int Count(Run run, string name, Func<SeededRandom, bool> happens) => (int)SeededRuns.Sum(
        run.Repeat($"G4 {name}", run.Size.Cells, tallies: 1),
        () => (random, counters) => counters[0] += happens(random) ? 1 : 0)[0];

    private static FigureRow Judge(Run run, string name, int covered, Attainable attainable)
    {
        var interval = ClopperPearson.Interval(covered, run.Size.Cells);
        var share = 100.0 * covered / run.Size.Cells;
        var passed = run.Size == Size.Full
            ? Math.Abs(share - attainable.Percent) <= attainable.Tolerance
            : 100 * interval.Low <= attainable.Percent + attainable.Tolerance
                && 100 * interval.High >= attainable.Percent - attainable.Tolerance;
        return new("G4", name, FormattableString.Invariant($"within 0.5 of {attainable.Percent:0.0} %"), share, 100 * interval.Low, passed);
    }

    private sealed record SimulatedCell(NoiseShape Shape, double Scale, double Shift);

    private sealed record Attainable(double Percent, double Tolerance);
}
