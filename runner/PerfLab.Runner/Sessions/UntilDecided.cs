using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// The confirm stage of a session with minutes: pairs end early for nothing, and go on beyond their planned rounds while they are undecided
/// and there is time. All is read off the journal and the time that is left, so going on after a crash is the same code.
/// </summary>
internal sealed class UntilDecided(SessionSetup setup, SessionRecord record, Minutes minutes)
{
    private readonly Policy _policy = setup.Plan.Policy;
    private readonly Dictionary<(string Cell, string Arm), int> _targets = [];

    /// <param name="isKept">Whether the screen kept a pair.</param>
    /// <param name="run">Measures what is left of these rounds, with the arms that are still running.</param>
    public async Task RunAsync(Func<string, string, bool> isKept, Func<IReadOnlyList<PlannedRound>, Func<string, string, bool>, Task> run)
    {
        foreach (var look in GoingOnRule.Looks.Where(look => look < _policy.ConfirmRounds).Append(_policy.ConfirmRounds))
        {
            await run([.. setup.Plan.Confirm.Where(round => round.Round < look)], (cell, arm) => isKept(cell, arm) && !HasEnded(cell, arm));
            EndAt(look);
        }

        Share();
        var measurable = setup.Plan.Cells.Where(cell => cell.Unavailable is null).ToList();
        for (var done = _policy.ConfirmRounds; _targets.Count > 0;)
        {
            var next = Math.Min(done + GoingOnRule.Between, _targets.Values.Min());
            await run(RoundOrder.Draw(setup.Plan.Seed, Stage.Confirm, (done, next), measurable),
                (cell, arm) => _targets.ContainsKey((cell, arm)));
            EndAt(next);
            done = next;
        }

        EndUnmeasured(isKept);
    }

    private bool HasEnded(string cell, string arm) => record.SoFar.Ends.Any(end => (end.Cell, end.Arm) == (cell, arm));

    /// <summary>Pairs of the confirm stage that have not ended, as they stood after so many rounds, and of how many in all.</summary>
    private (List<Candidate> Running, int Members) Candidates(int rounds)
    {
        var soFar = record.SoFar;
        // A session that goes on after a crash may hold later rounds already: this look does not know them.
        var byCell = CellLaunches.ByCell(soFar with
        {
            Launches = [.. soFar.Launches.Where(launch => launch.Stage != Stage.Confirm || launch.Round < rounds)],
        });
        var kept = soFar.Header.Cells.SelectMany(cell => cell.Arms.Skip(1).Select(arm => new PairEvidence(cell, arm, byCell[cell.Id])))
            .Where(pair => pair.Kept && pair.NotMeasured is null).ToList();
        return ([.. from pair in kept
                    where pair.End is null && pair.Cell.PrimaryMetric.Kind == MetricKind.Sampled
                    let ratios = LogRatios.Of(pair.Confirm, pair.Cell.PrimaryMetric)
                    where ratios.Problem is null
                    let begun = byCell[pair.Cell.Id].RoundsBegun(pair.Arm.Id, Stage.Confirm)
                    select new Candidate(pair, ratios.Differences, begun.Max() + 1)], kept.Count);
    }

    private void EndAt(int look)
    {
        var (running, members) = Candidates(look);
        var later = record.SoFar.Launches.Where(launch => launch.Stage == Stage.Confirm && launch.Round >= look)
            .Select(launch => (launch.Cell, launch.Arm)).ToHashSet();
        var planned = running.Sum(pair => SecondsTo(pair, look));
        foreach (var pair in running.Where(pair => !later.Contains(pair.Key)))
        {
            var room = minutes.Left - planned + SecondsTo(pair, look);
            var seconds = minutes.RoundOf(pair.Key.Cell);
            var reach = _targets.TryGetValue(pair.Key, out var target) ? target
                : look + (int)Math.Clamp(seconds > 0 ? room / seconds : 0, 0, LogRatios.MostRounds - look);
            var standing = new Standing(_policy, members, DirectionOf(pair), look == _policy.ConfirmRounds && pair.Begun == look, reach);
            var why = GoingOnRule.After(pair.Differences, standing)
                ?? (target == look && pair.Begun >= look ? EndReason.Measured : (EndReason?)null)
                ?? (minutes.HasRoomFor(pair.Key.Cell) ? null : EndReason.OutOfMinutes);
            if (why is { } reason)
            {
                End(pair, reason);
            }
        }

        // Whoever lost its rounds to failures gets no more of them.
        foreach (var key in _targets.Where(target => target.Value <= look).Select(target => target.Key).ToList())
        {
            _targets.Remove(key);
        }
    }

    private double SecondsTo(Candidate pair, int look) =>
        Math.Max(0, Math.Max(_targets.GetValueOrDefault(pair.Key), _policy.ConfirmRounds) - look) * minutes.RoundOf(pair.Key.Cell);

    /// <summary>Who goes on, and to which round.</summary>
    private void Share()
    {
        var (running, members) = Candidates(_policy.ConfirmRounds);
        var begun = record.SoFar.Launches.Where(launch => launch.Stage == Stage.Confirm && launch.Round >= _policy.ConfirmRounds)
            .Select(launch => (launch.Cell, launch.Arm)).ToHashSet();
        var asked = running.Where(pair => pair.Differences.Length >= StageRule.LeastConfirmRounds).Select(pair => (Pair: pair,
            Rounds: Math.Min(LogRatios.MostRounds - _policy.ConfirmRounds,
                GoingOnRule.Asked(pair.Differences, new(_policy, members, DirectionOf(pair), IsPlannedOver: true, Reach: 0))))).ToList();
        foreach (var (pair, rounds) in asked.Where(one => begun.Contains(one.Pair.Key)))
        {
            _targets[pair.Key] = _policy.ConfirmRounds + rounds; // it was interrupted on its way, and goes on while there is time
        }

        asked.RemoveAll(one => begun.Contains(one.Pair.Key));
        var given = GoingOnRule.Share([.. asked.Select(one => (one.Rounds, minutes.RoundOf(one.Pair.Key.Cell)))], minutes.Left);
        foreach (var (place, (pair, _)) in asked.Index())
        {
            if (given[place] > 0)
            {
                _targets[pair.Key] = _policy.ConfirmRounds + given[place];
            }
            else
            {
                End(pair, EndReason.OutOfMinutes);
            }
        }
    }

    /// <summary>Pairs whose turn never came, or not for all rounds of the screen.</summary>
    private void EndUnmeasured(Func<string, string, bool> isKept)
    {
        var byCell = CellLaunches.ByCell(record.SoFar);
        foreach (var cell in record.SoFar.Header.Cells.Where(cell => cell.Arms.Count > 1 && !minutes.HasRoomFor(cell.Id)))
        {
            foreach (var pair in cell.Arms.Skip(1).Select(arm => new PairEvidence(cell, arm, byCell[cell.Id])))
            {
                var screen = byCell[cell.Id].RoundsBegun(pair.Arm.Id, Stage.Screen).Count;
                if (pair is { End: null, Kept: false, NotMeasured: null, ArmLaunches.Failures: 0 }
                    && (screen < _policy.ScreenRounds || isKept(cell.Id, pair.Arm.Id)))
                {
                    record.Add(new PairEnd(cell.Id, pair.Arm.Id, screen, EndReason.OutOfMinutes));
                }
            }
        }
    }

    private void End(Candidate pair, EndReason why)
    {
        record.Add(new PairEnd(pair.Key.Cell, pair.Key.Arm, pair.Begun, why));
        _targets.Remove(pair.Key);
    }

    private static int DirectionOf(Candidate pair) => Family.ScreenDirection(pair.Evidence, pair.Evidence.Cell.PrimaryMetric);

    /// <param name="Differences">Log ratios of its complete confirm rounds.</param>
    /// <param name="Begun">Its confirm rounds, whatever became of them.</param>
    private sealed record Candidate(PairEvidence Evidence, double[] Differences, int Begun)
    {
        public (string Cell, string Arm) Key => (Evidence.Cell.Id, Evidence.Arm.Id);
    }
}
