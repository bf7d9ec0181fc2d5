using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Calibration;

/// <summary>A session with minutes to simulate. A round of any pair takes one unit of time.</summary>
/// <param name="Pairs">Up to <see cref="Policy.FewPairs"/> there is no screen.</param>
/// <param name="Changed">The first so many changed.</param>
/// <param name="Change">Of those, log units; positive is slower.</param>
/// <param name="Scale">Factor on the shape's differences.</param>
/// <param name="Units">Rounds that the minutes hold, of all pairs together.</param>
/// <param name="Drift">Of the machine from one launch to the next, log units; which arm comes first is drawn for every round.</param>
public sealed record GoingOnScenario(NoiseShape Shape, int Pairs, int Changed, double Change, double Scale, int Units, double Drift = 0)
{
    public Policy Policy { get; init; } = new() { Within = 1 };
}

/// <summary>What one simulated session said, and what it took.</summary>
/// <param name="Found">Changed pairs that were called regressed.</param>
/// <param name="FalseFlags">Unchanged pairs that were called anything, and changed ones that were called improved.</param>
/// <param name="FalselyUnchanged">Changed pairs that were called unchanged.</param>
/// <param name="Unchanged">Unchanged pairs that were called so.</param>
/// <param name="Held">Pairs whose interval holds their true change.</param>
public sealed record GoingOnOutcome(
    int Rounds, int Found, int FalseFlags, int FalselyUnchanged, int Unchanged, int Held, int WentOn, int EndedEarly);

/// <summary>
/// Runs one session with minutes on simulated differences through the rules of the product. Belongs to one thread.
/// </summary>
public sealed class GoingOnSession(GoingOnScenario scenario)
{
    private readonly Policy _policy = PolicyRules.ForPairs(scenario.Policy, scenario.Pairs);
    private readonly List<Pair> _kept = [];
    private SeededRandom _random = SeededRandom.For(0, "");
    private double _left;

    public GoingOnOutcome Run(SeededRandom random)
    {
        (_random, _left) = (random, scenario.Units);
        _kept.Clear();
        var (unchanged, falselyUnchanged, held) = (0, 0, 0);
        foreach (var index in Enumerable.Range(0, scenario.Pairs))
        {
            var pair = new Pair(index, index < scenario.Changed ? scenario.Change : 0);
            Measure(pair, _policy.ScreenRounds);
            var screen = pair.Take();
            var decision = _policy.ScreenRounds > 0 ? StageRule.AfterScreen(screen, _policy) : default;
            if (_policy.ScreenRounds == 0 || decision.Kept)
            {
                _kept.Add(pair with { Direction = decision.Direction });
                continue;
            }

            var verdict = VerdictOf(screen, 0, null);
            unchanged += pair.Shift == 0 && verdict == Verdict.Unchanged ? 1 : 0;
            falselyUnchanged += pair.Shift != 0 && verdict == Verdict.Unchanged ? 1 : 0;
            held += Holds(screen, pair.Shift, isStaged: false) ? 1 : 0;
        }

        Confirm();
        var (found, falseFlags) = (0, 0);
        var adjusted = Holm.Adjust([.. _kept.Select(PValue)]);
        foreach (var (place, pair) in _kept.Index())
        {
            var verdict = VerdictOf(pair.Rounds, pair.Direction, adjusted[place]);
            var hit = verdict == Verdict.Regressed && pair.Shift > 0;
            found += hit ? 1 : 0;
            falseFlags += !hit && verdict is Verdict.Regressed or Verdict.Improved ? 1 : 0;
            unchanged += pair.Shift == 0 && verdict == Verdict.Unchanged ? 1 : 0;
            falselyUnchanged += pair.Shift != 0 && verdict == Verdict.Unchanged ? 1 : 0;
            held += Holds(pair.Rounds, pair.Shift, isStaged: true) ? 1 : 0;
        }

        return new((int)(scenario.Units - _left), found, falseFlags, falselyUnchanged, unchanged, held,
            _kept.Count(pair => pair.Rounds.Length > _policy.ConfirmRounds), _kept.Count(pair => pair.Rounds.Length < _policy.ConfirmRounds));
    }

    /// <summary>As a session does it: the planned rounds with their looks, then the fresh ones.</summary>
    private void Confirm()
    {
        var done = 0;
        foreach (var look in GoingOnRule.Looks.Where(look => look < _policy.ConfirmRounds).Append(_policy.ConfirmRounds))
        {
            foreach (var pair in Running())
            {
                Measure(pair, look - done);
            }

            done = look;
            End();
        }

        var going = Running();
        var given = GoingOnRule.Share([.. going.Select(pair => (GoingOnRule.Asked(pair.Rounds, StandingOf(pair, 0)), 1.0))], _left);
        foreach (var (place, pair) in going.Index())
        {
            pair.Target = done + given[place];
            pair.Why = given[place] == 0 ? EndReason.OutOfMinutes : null;
        }

        while (Running() is { Count: > 0 } running)
        {
            var next = Math.Min(done + GoingOnRule.Between, running.Min(pair => pair.Target));
            foreach (var pair in running)
            {
                Measure(pair, next - done);
                pair.Why = next == pair.Target ? EndReason.Measured : null;
            }

            done = next;
            End();
        }
    }

    private List<Pair> Running() => _kept.FindAll(pair => pair.Why is null);

    private void End()
    {
        var running = Running();
        var planned = running.Sum(pair => Math.Max(0, Math.Max(pair.Target, _policy.ConfirmRounds) - pair.Rounds.Length));
        foreach (var pair in running)
        {
            var own = Math.Max(0, Math.Max(pair.Target, _policy.ConfirmRounds) - pair.Rounds.Length);
            var reach = pair.Target > 0 ? pair.Target : pair.Rounds.Length + (int)Math.Max(0, _left - planned + own);
            pair.Why = GoingOnRule.After(pair.Rounds, StandingOf(pair, reach));
        }
    }

    private Standing StandingOf(Pair pair, int reach) =>
        new(_policy, _kept.Count, pair.Direction, pair.Rounds.Length == _policy.ConfirmRounds, reach);

    private double PValue(Pair pair) => StageRule.ConfirmPValue(
        Planned(pair.Rounds), pair.Rounds.AsSpan(Planned(pair.Rounds).Length), pair.Direction, (pair.Why, pair.Rounds.Length < _policy.ConfirmRounds));

    private ReadOnlySpan<double> Planned(double[] rounds) => rounds.AsSpan(0, Math.Min(rounds.Length, _policy.ConfirmRounds));

    private Verdict VerdictOf(ReadOnlySpan<double> rounds, int direction, double? adjusted)
    {
        if (rounds.Length < StageRule.LeastScreenRounds)
        {
            return Verdict.Undecided;
        }

        var walsh = new WalshAverages(rounds);
        return VerdictRule.Of(
            new()
            {
                Centre = walsh.Centre,
                Interval = walsh.Interval(adjusted is null ? _policy.Interval : StageRule.Coverage(_policy)),
                AdjustedP = adjusted,
                Direction = direction != 0 ? direction : SignedRank.Test(rounds).Direction,
                Noise = null,
            },
            _policy);
    }

    private bool Holds(ReadOnlySpan<double> rounds, double truth, bool isStaged) =>
        new WalshAverages(rounds).Interval(isStaged ? StageRule.Coverage(_policy) : _policy.Interval) is not { } interval
            || (interval.Low <= truth && truth <= interval.High);

    private void Measure(Pair pair, int rounds)
    {
        rounds = (int)Math.Min(rounds, _left);
        _left -= rounds;
        for (var round = 0; round < rounds; round++)
        {
            var drift = scenario.Drift == 0 ? 0 : _random.NextDouble() < 0.5 ? scenario.Drift : -scenario.Drift;
            pair.Values.Add(pair.Shift + drift + (scenario.Scale * scenario.Shape.Difference(_random)));
        }
    }

    private sealed record Pair(int Index, double Shift)
    {
        public List<double> Values { get; } = [];
        public double[] Rounds => [.. Values];
        public int Direction { get; init; }
        public int Target { get; set; }
        public EndReason? Why { get; set; }

        public double[] Take()
        {
            var taken = Rounds;
            Values.Clear();
            return taken;
        }
    }
}
