using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using static System.FormattableString;

namespace PerfLab.Calibration;

/// <summary>
/// G12: what minutes in place of fixed rounds cost and save. Whole sessions through the rules of the product, which end rows early for nothing
/// and go on where a row is undecided.
/// </summary>
public static class GoingOnRates
{
    /// <summary>Rounds that the minutes hold for one row, and for each of several: time to go on for a row that asks for it.</summary>
    private const int OfOne = 100, OfEach = 40;

    /// <summary>Of 200 rows: what 8+20 rounds take, and somewhat more.</summary>
    private const int OfMany = 2100;

    /// <summary>From one launch to the next, with a printed noise of 1 %.</summary>
    private const double Drift = 0.005;

    private static readonly double _normal = NoiseShape.Normal.PrintedNoise();

    public static IEnumerable<FigureRow> Rows(Run run) =>
    [
        .. from shape in NoiseShapes.All
           from pairs in new[] { 1, 5, 200 }
           select Size(run, Session(shape, pairs, 0.02) with { Policy = NoMargin }, Invariant($"{shape}, {pairs} unchanged pairs")),
        .. from shape in NoiseShapes.All
           select Size(run, Session(shape, 5, 0.01) with { Policy = NoMargin, Drift = Drift },
               Invariant($"{shape}, 5 unchanged pairs at 1 % noise, drifting by 0.5 % a launch")),
        Found(run, Detectable() with { Units = 20 }, "the smallest detectable change found, without time to go on", 0.8),
        AsFixed(run, 0.05, 0.05),
        AsFixed(run, 0.02, 0.02),
        Found(run, Session(NoiseShape.Normal, 1, 0.05) with { Changed = 1, Change = 0.02 }, "a change of 2 % at 5 % noise found, time for 100 rounds", null),
        .. from change in new[] { 0, 0.01, 0.02 }
           from pairs in new[] { 1, 5 }
           select Held(run, Session(NoiseShape.Normal, pairs, 0.02) with { Changed = pairs, Change = change, Units = 60 * pairs }, change),
        .. from noise in new[] { 0.005, 0.01, 0.02 }
           select FalselyUnchanged(run, noise),
        .. from noise in new[] { 0.005, 0.01, 0.02, 0.05 }
           select Length(run, noise),
        Saved(run),
    ];

    private static Policy NoMargin => new() { Within = 1, Margin = 0 };

    private static GoingOnScenario Session(NoiseShape shape, int pairs, double noise) =>
        new(shape, pairs, 0, 0, noise / shape.PrintedNoise(), pairs > Policy.FewPairs ? OfMany : pairs == 1 ? OfOne : OfEach * pairs);

    private static GoingOnScenario Detectable()
    {
        const double Noise = 0.02;
        var policy = NoMargin with { ScreenRounds = 0 };
        var change = Math.Log(1 + SmallestDetectable.Change(Noise, 1, screened: false, policy)!.Value);
        return new(NoiseShape.Normal, 1, 1, change, Noise / _normal, 20) { Policy = policy };
    }

    private static FigureRow Size(Run run, GoingOnScenario scenario, string name)
    {
        // Few pairs are quick, and one row in a hundred of 400 sessions comes out above 2 % by chance.
        var runs = scenario.Pairs > Policy.FewPairs ? run.Size.Comparisons : Math.Max(2000, run.Size.Comparisons);
        var flagged = (int)Sums(run, (name, scenario), runs, outcome => outcome.FalseFlags > 0 ? 1 : 0);
        var interval = ClopperPearson.Interval(flagged, runs);
        var passed = run.Size == Calibration.Size.Full ? interval.High <= FalseFlagRate.FullSizeBound : interval.Low <= FalseFlagRate.Promise;
        return new("G12", name + ", going on", "any false flag <= 1 % (bound <= 1.25 %)", 100.0 * flagged / runs, 100 * interval.High, passed);
    }

    private static FigureRow Found(Run run, GoingOnScenario scenario, string name, double? aim)
    {
        var runs = run.Size.Comparisons;
        var found = (int)Sums(run, (name, scenario), runs, outcome => outcome.Found);
        var interval = ClopperPearson.Interval(found, runs);
        var passed = aim is not { } least || (run.Size == Calibration.Size.Full ? (double)found / runs : interval.High) >= least;
        return new("G12", name, aim is { } wanted ? Invariant($">= {100 * wanted} %") : "no aim: for comparison", 100.0 * found / runs, 100 * interval.Low, passed);
    }

    /// <summary>Beside what 8+20 rounds find of the same.</summary>
    private static FigureRow AsFixed(Run run, double noise, double change)
    {
        var (runs, slower) = (run.Size.PowerComparisons, 5);
        var name = Invariant($"a change of {100 * change} % at {100 * noise} % noise found, among 200 rows");
        var scenario = Session(NoiseShape.Normal, 200, noise) with { Changed = slower, Change = Math.Log(1 + change) };
        var found = (int)Sums(run, (name, scenario), runs, outcome => outcome.Found);
        var known = new Scenario { Shape = NoiseShape.Normal, Slower = slower, Change = change }.AtPrintedNoise(noise);
        var fixedPlan = SeededRuns.Sum(run.Repeat($"G12 fixed {noise} {change}", runs, tallies: 1), () =>
        {
            var simulator = new ComparisonSimulator(known);
            return (random, counters) => counters[0] += simulator.Run(random).Found;
        })[0];
        var (share, beside) = ((double)found / runs / slower, (double)fixedPlan / runs / slower);
        var interval = ClopperPearson.Interval(found, runs * slower);
        return new("G12", name, Invariant($">= {100 * beside:0.0} %, as 8+20 rounds"),
            100 * share, 100 * interval.Low, interval.High >= beside);
    }

    private static FigureRow Held(Run run, GoingOnScenario scenario, double change)
    {
        var runs = 5 * run.Size.PowerComparisons;
        var name = Invariant($"the interval holds a change of {100 * change} % at 2 % noise, {scenario.Pairs} pairs going on");
        var held = (int)Sums(run, (name, scenario), runs, outcome => outcome.Held);
        var interval = ClopperPearson.Interval(held, runs * scenario.Pairs);
        var share = (double)held / runs / scenario.Pairs;
        return new("G12", name, ">= 95 %",
            100 * share, 100 * interval.Low, (run.Size == Calibration.Size.Full ? share : interval.High) >= 0.95);
    }

    /// <summary>A change of a tenth more than the margin.</summary>
    private static FigureRow FalselyUnchanged(Run run, double noise)
    {
        var runs = run.Size.Comparisons;
        var name = Invariant($"a change of 1.1 x the margin at {100 * noise} % noise called unchanged");
        var scenario = Session(NoiseShape.Normal, 1, noise) with { Changed = 1, Change = 1.1 * Math.Log(1.01) };
        var called = (int)Sums(run, (name, scenario), runs, outcome => outcome.FalselyUnchanged);
        var interval = ClopperPearson.Interval(called, runs);
        return new("G12", name, "<= 5 %", 100.0 * called / runs, 100 * interval.High,
            (run.Size == Calibration.Size.Full ? (double)called / runs : interval.Low) <= 0.05);
    }

    private static FigureRow Length(Run run, double noise)
    {
        var runs = run.Size.PowerComparisons;
        var name = Invariant($"mean rounds of one unchanged pair at {100 * noise} % noise, time for 100");
        var rounds = Sums(run, (name, Session(NoiseShape.Normal, 1, noise)), runs, outcome => outcome.Rounds);
        return new("G12", name, "no aim: for comparison", (double)rounds / runs, null, true);
    }

    /// <summary>The screen alone is 83 % of what a fixed plan takes: results/figures.md.</summary>
    private static FigureRow Saved(Run run)
    {
        const string name = "rounds of 200 unchanged pairs at 0.5 % noise, of those of 8+20";
        var runs = run.Size.PowerComparisons;
        var scenario = Session(NoiseShape.Normal, 200, 0.005);
        var rounds = Sums(run, (name, scenario), runs, outcome => outcome.Rounds);
        var kept = SeededRuns.Sum(run.Repeat("G12 kept", runs, tallies: 1), () =>
        {
            var simulator = new ComparisonSimulator(new Scenario { Shape = NoiseShape.Normal }.AtPrintedNoise(0.005));
            return (random, counters) => counters[0] += simulator.Run(random).Kept;
        })[0];
        var share = rounds / ((8.0 * scenario.Pairs * runs) + (20.0 * kept));
        return new("G12", name, "<= 60 %", 100 * share, null, share <= 0.6, KnownMiss: true);
    }

    private static long Sums(Run run, (string Name, GoingOnScenario Scenario) row, int runs, Func<GoingOnOutcome, int> counted) =>
        SeededRuns.Sum(run.Repeat($"G12 {row.Name}", runs, tallies: 1), () =>
        {
            var session = new GoingOnSession(row.Scenario);
            return (random, counters) => counters[0] += counted(session.Run(random));
        })[0];
}
