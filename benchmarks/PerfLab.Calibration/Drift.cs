using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Calibration;

/// <summary>How the machine changes during a session while the code does not.</summary>
public enum DriftKind { Linear, Autoregressive }

/// <summary>The order in which the launches of a session come.</summary>
public enum LaunchOrder { RandomInRound, Blocks, Alternating }

/// <summary>
/// G5: the size of the test at a nominal 5 % when the machine drifts. perf-lab's order must stay there; all of base and then all of
/// head, and always base before head, must not: this shows that the drift is real and that the order is what handles it.
/// </summary>
public static class Drift
{
    public const int Rounds = 20;

    /// <summary>3 % from the first launch to the last.</summary>
    public const double LinearDrift = 0.03;

    /// <summary>Correlation of neighbouring launches, and the spread of the drift.</summary>
    public const double Correlation = 0.95;
    public const double AutoregressiveSpread = 0.02;

    /// <summary>Standard deviation of a paired difference without drift.</summary>
    public const double PairedNoise = 0.0025;

    public static IEnumerable<FigureRow> Rows(Run run) =>
        from drift in Enum.GetValues<DriftKind>()
        from order in Enum.GetValues<LaunchOrder>()
        select Row(run, drift, order);

    private static FigureRow Row(Run run, DriftKind drift, LaunchOrder order)
    {
        var name = $"{drift} drift, {order}";
        var flagged = (int)SeededRuns.Sum(run.Repeat($"G5 {name}", run.Size.Cells, tallies: 1), () => (random, counters) =>
            counters[0] += SignedRank.Test(Session(drift, order, random)).TwoSided <= 0.05 ? 1 : 0)[0];
        var interval = ClopperPearson.Interval(flagged, run.Size.Cells);
        var size = (double)flagged / run.Size.Cells;
        // Neighbouring launches of a stationary drift differ by nothing on average, so alternating is not wrong there and has no aim.
        return (drift, order) switch
        {
            (_, LaunchOrder.RandomInRound) =>
                new("G5", name, "flags <= 6 %", 100 * size, 100 * interval.High, (run.Size == Size.Full ? size : interval.Low) <= 0.06),
            (DriftKind.Autoregressive, LaunchOrder.Alternating) =>
                new("G5", name, "no aim: for comparison", 100 * size, null, true),
            _ => new("G5", name, "must fail: flags > 6 %", 100 * size, 100 * interval.Low, interval.Low > 0.06),
        };
    }

    /// <summary>The paired log ratios of one unchanged cell measured in the given order on a drifting machine.</summary>
    private static double[] Session(DriftKind drift, LaunchOrder order, SeededRandom random)
    {
        var machine = Machine(drift, random);
        var differences = new double[Rounds];
        for (var round = 0; round < Rounds; round++)
        {
            var headFirst = order == LaunchOrder.RandomInRound && random.Next(2) == 0;
            var (head, reference) = order == LaunchOrder.Blocks
                ? (machine[Rounds + round], machine[round])
                : (machine[(2 * round) + (headFirst ? 0 : 1)], machine[(2 * round) + (headFirst ? 1 : 0)]);
            differences[round] = head - reference + (PairedNoise * random.NextNormal());
        }

        return differences;
    }

    /// <summary>The machine's state at each launch, in log units.</summary>
    private static double[] Machine(DriftKind drift, SeededRandom random)
    {
        var states = new double[2 * Rounds];
        var state = AutoregressiveSpread * random.NextNormal();
        for (var launch = 0; launch < states.Length; launch++)
        {
            states[launch] = drift == DriftKind.Linear ? LinearDrift * launch / (states.Length - 1) : state;
            state = (Correlation * state) + (AutoregressiveSpread * Math.Sqrt(1 - (Correlation * Correlation)) * random.NextNormal());
        }

        return states;
    }
}
