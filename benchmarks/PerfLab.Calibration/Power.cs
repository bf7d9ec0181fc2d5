using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Calibration;

/// <summary>G2: how many of five slower cells among 200 are called regressed, margin 1 %, at a printed noise.</summary>
public static class Power
{
    /// <param name="IsKnownMiss">The aim is missed, and results/figures.md says why.</param>
    /// <param name="IsSpread">Over four machines of unequal noise and drift, half of each one's variance shared; the noise is that of the second.</param>
    public sealed record Aim(NoiseShape Shape, double Noise, double Change, double Least, bool IsKnownMiss = false, bool IsSpread = false);

    public static IReadOnlyList<Aim> Aims { get; } =
    [
        .. from shape in new[] { NoiseShape.Normal, NoiseShape.Bimodal }
           from aim in new[] { (0.01, 0.02, 0.97), (0.01, 0.05, 0.99), (0.005, 0.0125, 0.95), (0.005, 0.015, 0.99), (0.02, 0.05, 0.97) }
           select new Aim(shape, aim.Item1, aim.Item2, aim.Item3),
        new(NoiseShape.T3, 0.01, 0.02, 0.92),
        new(NoiseShape.LogNormal, 0.01, 0.02, 0.85, IsKnownMiss: true),
        new(NoiseShape.Outliers, 0.01, 0.02, 0.68),
        new(NoiseShape.Normal, 0.005, 0.05, 0.97, IsSpread: true),
        new(NoiseShape.Bimodal, 0.005, 0.05, 0.97, IsSpread: true),
    ];

    public static IEnumerable<FigureRow> Rows(Run run) => Aims.Select(aim => Row(run, aim));

    /// <summary>Share of the slower cells that were found.</summary>
    public static (long Found, int Of) Measure(RepeatedRun run, Scenario scenario)
    {
        var sums = SeededRuns.Sum(run, () =>
        {
            var simulator = new ComparisonSimulator(scenario);
            return (random, counters) => counters[0] += simulator.Run(random).Found;
        });
        return (sums[0], run.Repetitions * scenario.Slower);
    }

    private static FigureRow Row(Run run, Aim aim)
    {
        var one = new Scenario { Shape = aim.Shape, Slower = 5, Change = aim.Change }.AtPrintedNoise(aim.Noise);
        var scenario = !aim.IsSpread ? one
            : one with { HalfShared = true, Machines = FalseFlagRate.Unequal, Drifts = FalseFlagRate.UnequalDrifts };
        var name = FormattableString.Invariant($"{aim.Shape}, noise {100 * aim.Noise} %, +{100 * aim.Change} %")
            + (aim.IsSpread ? ", four shards on machines of 1:2:4:8 noise, drifting by 0 to 1 % a launch" : "");
        var (found, of) = Measure(run.Repeat($"G2 {name}", run.Size.PowerComparisons, tallies: 1), scenario);
        var interval = ClopperPearson.Interval((int)found, of);
        var power = (double)found / of;
        var passed = run.Size == Size.Full ? power >= aim.Least : interval.High >= aim.Least;
        var words = FormattableString.Invariant($"found >= {100 * aim.Least} %");
        return new("G2", name, words, 100 * power, 100 * interval.Low, passed, aim.IsKnownMiss && !passed);
    }
}
