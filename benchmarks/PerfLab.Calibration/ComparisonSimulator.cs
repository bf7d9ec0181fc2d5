using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Calibration;

/// <summary>
/// Runs one whole comparison on simulated differences through the rules of the product: screen, confirm stage, Holm, verdict. Keeps its
/// buffers, so it belongs to one thread.
/// </summary>
public sealed class ComparisonSimulator(Scenario scenario)
{
    private readonly double[] _screen = new double[scenario.Policy.ScreenRounds];
    private readonly double[][] _sharedScreen = [.. scenario.Machines.Select(_ => new double[scenario.Policy.ScreenRounds])];
    private readonly double[][] _sharedConfirm = [.. scenario.Machines.Select(_ => new double[scenario.Policy.ConfirmRounds])];
    private readonly double[] _again = new double[scenario.Policy.ConfirmRounds];
    private readonly List<KeptPair> _kept = [];
    private readonly double _shift = Math.Log(1 + scenario.Change);

    public SimulatedComparison Run(SeededRandom random)
    {
        _kept.Clear();
        if (scenario.HalfShared)
        {
            FillShared(_sharedScreen, random);
            FillShared(_sharedConfirm, random);
        }

        for (var cell = 0; cell < scenario.Cells; cell++)
        {
            Measure(cell, random);
        }

        var adjusted = Holm.Adjust([.. _kept.Select(pair => StageRule.ConfirmPValue(pair.Confirm, pair.Direction))]);
        var (found, falseFlags) = (0, 0);
        for (var index = 0; index < _kept.Count; index++)
        {
            var verdict = Judge(_kept[index], adjusted[index]);
            verdict = verdict is Verdict.Regressed or Verdict.Improved && !Holds(_kept[index], verdict, random) ? Verdict.DoesNotHold : verdict;
            var hit = verdict == Verdict.Regressed && _kept[index].Cell < scenario.Slower;
            found += hit ? 1 : 0;
            falseFlags += !hit && verdict is Verdict.Regressed or Verdict.Improved ? 1 : 0;
        }

        return new(_kept.Count, found, falseFlags);
    }

    private void Measure(int cell, SeededRandom random)
    {
        var shift = (cell < scenario.Slower ? _shift : 0) + SessionEffect(random);
        var machine = cell % scenario.Machines.Count;
        Fill(_screen, (machine, _sharedScreen), shift, random);
        var direction = 0;
        if (scenario.Policy.ScreenRounds > 0)
        {
            var decision = StageRule.AfterScreen(_screen, scenario.Policy);
            if (!decision.Kept)
            {
                return;
            }

            direction = decision.Direction;
        }

        var confirm = new double[scenario.Policy.ConfirmRounds];
        Fill(confirm, (machine, _sharedConfirm), shift, random);
        _kept.Add(new(cell, direction, confirm));
    }

    /// <summary>Only pairs that pass Holm can be flagged, and only flags are counted: the others need no centre.</summary>
    private Verdict Judge(KeptPair pair, double adjustedP)
    {
        if (adjustedP > scenario.Policy.FamilyError)
        {
            return Verdict.Undecided;
        }

        return VerdictRule.Of(
            new()
            {
                Centre = new WalshAverages(pair.Confirm).Centre,
                Interval = null,
                AdjustedP = adjustedP,
                Direction = pair.Direction != 0 ? pair.Direction : SignedRank.Test(pair.Confirm).Direction,
                Noise = null,
            },
            scenario.Policy);
    }

    /// <summary>Measures what was flagged again, as often as the policy says.</summary>
    private bool Holds(KeptPair pair, Verdict verdict, SeededRandom random)
    {
        for (var repeat = 0; repeat < scenario.Policy.Repeats; repeat++)
        {
            var shift = (pair.Cell < scenario.Slower ? _shift : 0) + SessionEffect(random);
            for (var round = 0; round < _again.Length; round++)
            {
                _again[round] = shift + (scenario.Scale * scenario.Shape.Difference(random));
            }

            if (!RepeatedPair.Agrees(_again, verdict == Verdict.Regressed ? 1 : -1, scenario.Policy))
            {
                return false;
            }
        }

        return true;
    }

    // Nothing is drawn where there is none: the figures of one session stay what they were.
    private double SessionEffect(SeededRandom random) => scenario.SessionEffect > 0 ? scenario.SessionEffect * random.NextNormal() : 0;

    private void FillShared(double[][] shared, SeededRandom random)
    {
        foreach (var (machine, rounds) in shared.Index())
        {
            for (var round = 0; round < rounds.Length; round++)
            {
                rounds[round] = Math.Sqrt(0.5) * scenario.Machines[machine] * scenario.Scale * scenario.Shape.Difference(random);
            }
        }
    }

    private void Fill(double[] differences, (int Machine, double[][] Rounds) shared, double shift, SeededRandom random)
    {
        var own = (scenario.HalfShared ? Math.Sqrt(0.5) : 1) * scenario.Machines[shared.Machine] * scenario.Scale;
        for (var round = 0; round < differences.Length; round++)
        {
            var common = scenario.HalfShared ? shared.Rounds[shared.Machine][round] : 0;
            differences[round] = shift + common + (own * scenario.Shape.Difference(random)) + Drift(shared.Machine, random);
        }
    }

    // Nothing is drawn where there is none: the figures of machines that stand still stay what they were.
    private double Drift(int machine, SeededRandom random) =>
        scenario.Drifts.Count == 0 ? 0 : random.NextDouble() < 0.5 ? scenario.Drifts[machine] : -scenario.Drifts[machine];

    private sealed record KeptPair(int Cell, int Direction, double[] Confirm);
}
