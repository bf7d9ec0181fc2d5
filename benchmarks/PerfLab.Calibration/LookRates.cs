using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Looks;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Calibration;

/// <summary>
/// G12: what stopping early costs and saves. Runs of 1 and of 5 pairs without a screen, through the rules of the product; a pair stops where
/// a session would stop it.
/// </summary>
public static class LookRates
{
    private const double Noise = 0.02;

    public static IEnumerable<FigureRow> Rows(Run run) =>
    [
        .. from rounds in LookPlan.All.Select(plan => plan.Rounds[^1])
           from pairs in new[] { 1, 5 }
           from shape in NoiseShapes.All
           select Size(run, new(shape, pairs, rounds, 0)),
        .. LookPlan.All.Select(plan => Found(run, plan.Rounds[^1])),
        .. LookPlan.All.Select(plan => Held(run, plan.Rounds[^1])),
        .. from rounds in LookPlan.All.Select(plan => plan.Rounds[^1])
           from change in new[] { 0.0, 1, 2, 5 }
           select Length(run, new(NoiseShape.Normal, 1, rounds, change)),
    ];

    /// <summary>Whether any of the pairs is flagged, and the mean rounds of a pair.</summary>
    public static (double Share, double Rounds, int Flagged) Measure(Run run, LookScenario scenario, int runs)
    {
        var sums = SeededRuns.Sum(run.Repeat($"G12 {scenario}", runs, tallies: 2), () =>
        {
            var looked = new LookedRun(scenario);
            return (random, counters) =>
            {
                var (flagged, rounds) = looked.Once(random);
                counters[0] += flagged ? 1 : 0;
                counters[1] += rounds;
            };
        });
        return ((double)sums[0] / runs, (double)sums[1] / runs / scenario.Pairs, (int)sums[0]);
    }

    private static FigureRow Size(Run run, LookScenario scenario)
    {
        var (share, _, flagged) = Measure(run, scenario, run.Size.Comparisons);
        var interval = ClopperPearson.Interval(flagged, run.Size.Comparisons);
        var passed = run.Size == Calibration.Size.Full ? interval.High <= FalseFlagRate.FullSizeBound : interval.Low <= FalseFlagRate.Promise;
        var name = FormattableString.Invariant($"{scenario.Shape}, {scenario.Pairs} unchanged pairs, stopped early, at most {scenario.Rounds} rounds");
        return new("G12", name, "any false flag <= 1 % (bound <= 1.25 %)", 100 * share, 100 * interval.High, passed);
    }

    /// <summary>The change that a report would print as the smallest detectable.</summary>
    private static FigureRow Found(Run run, int rounds)
    {
        var policy = new Policy { ScreenRounds = 0, ConfirmRounds = rounds, StopEarly = true, Margin = 0 };
        var change = Math.Log(1 + SmallestDetectable.Change(Noise, 1, screened: false, policy)!.Value) / Noise;
        var (share, _, found) = Measure(run, new(NoiseShape.Normal, 1, rounds, change), run.Size.Comparisons);
        var interval = ClopperPearson.Interval(found, run.Size.Comparisons);
        var name = FormattableString.Invariant($"the smallest detectable change ({change:0.00} x noise) found, stopped early, at most {rounds} rounds");
        return new("G12", name, ">= 80 %", 100 * share, 100 * interval.Low, (run.Size == Calibration.Size.Full ? share : interval.High) >= 0.8);
    }

    private static FigureRow Held(Run run, int rounds)
    {
        var scenario = new LookScenario(NoiseShape.Normal, 1, rounds, 1);
        var held = (int)SeededRuns.Sum(run.Repeat($"G12 held {rounds}", run.Size.Comparisons, tallies: 1), () =>
        {
            var looked = new LookedRun(scenario);
            return (random, counters) => counters[0] += looked.Holds(random) ? 1 : 0;
        })[0];
        var interval = ClopperPearson.Interval(held, run.Size.Comparisons);
        var share = (double)held / run.Size.Comparisons;
        var name = FormattableString.Invariant($"the interval holds a change of 1 x noise, stopped early, at most {rounds} rounds");
        return new("G12", name, ">= 95 %", 100 * share, 100 * interval.Low, (run.Size == Calibration.Size.Full ? share : interval.High) >= 0.95);
    }

    private static FigureRow Length(Run run, LookScenario scenario)
    {
        var (_, rounds, _) = Measure(run, scenario, run.Size.Comparisons);
        var name = FormattableString.Invariant($"mean rounds of a pair that changed by {scenario.Change} x noise, at most {scenario.Rounds}");
        return new("G12", name, "no aim: for comparison", rounds, null, true);
    }
}

/// <param name="Change">True change of every pair, in units of noise.</param>
public sealed record LookScenario(NoiseShape Shape, int Pairs, int Rounds, double Change);

/// <summary>One run of some pairs, stopped as a session stops them. Keeps its buffers, so it belongs to one thread.</summary>
public sealed class LookedRun
{
    private readonly LookScenario _scenario;
    private readonly LookFamily _family;
    private readonly double _unit;
    private readonly double[] _differences;

    public LookedRun(LookScenario scenario)
    {
        var policy = new Policy { ScreenRounds = 0, ConfirmRounds = scenario.Rounds, StopEarly = true, Margin = 0 };
        (_scenario, _family) = (scenario, new(policy, LookPlan.Of(policy)!, scenario.Pairs));
        _unit = scenario.Shape == NoiseShape.Normal ? Math.Sqrt(2) : 1;
        _differences = new double[scenario.Rounds];
    }

    /// <summary>Whether Holm flags any pair, and the rounds of all of them.</summary>
    public (bool Flagged, int Rounds) Once(SeededRandom random)
    {
        var (values, total) = (new double[_scenario.Pairs], 0);
        for (var pair = 0; pair < _scenario.Pairs; pair++)
        {
            var rounds = Measure(random);
            total += rounds;
            values[pair] = _family.Plan.PValue(_differences.AsSpan(0, rounds), 0);
        }

        return (Holm.Adjust(values).Any(value => value <= _family.Policy.FamilyError), total);
    }

    /// <summary>Whether the interval of the look at which the pair stopped holds its true change.</summary>
    public bool Holds(SeededRandom random)
    {
        var rounds = Measure(random);
        var coverage = _family.Plan.Coverage(rounds, _family.Policy.Interval);
        var truth = _scenario.Change * _unit;
        return new WalshAverages(_differences.AsSpan(0, rounds)).Interval(coverage) is not { } interval
            || (interval.Low <= truth && truth <= interval.High);
    }

    /// <summary>Rounds until the pair is decided, or all of them.</summary>
    private int Measure(SeededRandom random)
    {
        for (var round = 0; round < _differences.Length; round++)
        {
            _differences[round] = (_scenario.Change * _unit) + _scenario.Shape.Difference(random);
        }

        return _family.Plan.Rounds.FirstOrDefault(
            look => EarlyStop.IsDecided(_differences.AsSpan(0, look), 0, _family), _scenario.Rounds);
    }
}
