using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Calibration;

/// <summary>G1, the false-flag rate of whole comparisons, and G3, what the screen costs; both on A/A and without a margin.</summary>
public static class FalseFlagRate
{
    /// <summary>A row passes when the upper end of its exact 95 % interval is at most this at full size.</summary>
    public const double FullSizeBound = 0.0125;

    /// <summary>What independent cells must come to; smaller sizes pass when their interval reaches down to it.</summary>
    public const double Promise = 0.01;

    /// <summary>Four machines of one plan, the worst with eight times the noise of the best.</summary>
    public static IReadOnlyList<double> Unequal { get; } = [0.5, 1, 2, 4];

    /// <summary>What each drifts from one launch to the next: the worst by a whole percent, as no machine that works does.</summary>
    public static IReadOnlyList<double> UnequalDrifts { get; } = [0, 0.002, 0.005, 0.01];

    /// <summary>The printed noise on the second machine, beside which the drift counts; a fraction.</summary>
    public const double DriftingNoise = 0.01;

    public static IEnumerable<FigureRow> Rows(Run run) =>
        from host in new[] { Host.None, Host.One, Host.Four, Host.FourThatDrift }
        from shape in NoiseShapes.All
        let scenario = new Scenario
        {
            Shape = shape,
            HalfShared = host != Host.None,
            Machines = host is Host.Four or Host.FourThatDrift ? Unequal : [1],
            Drifts = host == Host.FourThatDrift ? UnequalDrifts : [],
            Policy = new() { Margin = 0 },
        }
        from row in Rows(run, host == Host.FourThatDrift ? scenario.AtPrintedNoise(DriftingNoise) : scenario, Name(shape, host))
        select row;

    /// <summary>What cells have in common.</summary>
    private enum Host { None, One, Four, FourThatDrift }

    private static string Name(NoiseShape shape, Host host) => host switch
    {
        Host.None => $"{shape}, independent cells",
        Host.One => $"{shape}, half of the variance shared",
        Host.FourThatDrift => $"{shape}, the same four shards at 1 % noise, drifting by 0 to 1 % a launch",
        _ => $"{shape}, four shards on machines of 1:2:4:8 noise, half of each one's variance shared",
    };

    private static IEnumerable<FigureRow> Rows(Run run, Scenario scenario, string name)
    {
        var comparisons = run.Size.Comparisons;
        var sums = SeededRuns.Sum(run.Repeat($"G1 {name}", comparisons, tallies: 2), () =>
        {
            var simulator = new ComparisonSimulator(scenario);
            return (random, counters) =>
            {
                var result = simulator.Run(random);
                counters[0] += result.FalseFlags > 0 ? 1 : 0;
                counters[1] += result.Kept;
            };
        });
        var interval = ClopperPearson.Interval((int)sums[0], comparisons);
        var passed = run.Size == Size.Full ? interval.High <= FullSizeBound : interval.Low <= Promise;
        var keptShare = sums[1] / ((double)comparisons * scenario.Cells);
        var rounds = scenario.Policy.ScreenRounds + (scenario.Policy.ConfirmRounds * keptShare);
        yield return new("G1", name, "any false flag <= 1 % (bound <= 1.25 %)", 100.0 * sums[0] / comparisons, 100 * interval.High, passed);
        yield return new("G3", name, "mean rounds per cell <= 10", rounds, null, rounds <= 10);
    }
}
