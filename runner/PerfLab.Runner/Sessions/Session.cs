using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Machine.Watching;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// Executes a plan on one machine: the screen's rounds of every cell, then the confirm rounds of what the screen kept. One launch at a
/// time, each journalled before the next; what is left to do is always read off the journal, so going on after a crash is the same code.
/// </summary>
public sealed class Session(SessionSetup setup, SessionRecord record, RoundRunner rounds, IProgress<SessionProgress> progress, BlockWatch? machine = null)
{
    private readonly Blocks _blocks = new(record, machine);
    private readonly Dictionary<string, PlannedCell> _cells = setup.Plan.Cells.ToDictionary(cell => cell.Id, StringComparer.Ordinal);
    private readonly HashSet<string> _unavailable =
        [.. setup.Header.Cells.Where(cell => cell.Unavailable is not null).Select(cell => cell.Id)];
    private readonly HashSet<(string Cell, string Arm)> _untouched = record.Untouched;
    private readonly Minutes? _minutes = Minutes.Of(setup, record.SoFar);
    private int _launched;
    private double _wallSeconds;

    /// <summary>Returns when the plan is done; throws <see cref="OperationCanceledException"/> with everything measured kept.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        RefuseUnbuilt();
        var policy = setup.Plan.Policy;
        TellTooFewMinutes(policy);
        await RunStageAsync(Stage.Screen, setup.Plan.Screen, (_, _) => true, cancellationToken);

        var kept = policy.ScreenRounds == 0 ? null : Screening.Decide(record.SoFar, policy)
            .Where(pair => pair.Kept).Select(pair => (pair.Cell, pair.Arm)).ToHashSet();
        bool IsKept(string cell, string arm) => kept?.Contains((cell, arm)) ?? true;
        if (_minutes is null)
        {
            await RunStageAsync(Stage.Confirm, setup.Plan.Confirm, IsKept, cancellationToken);
        }
        else
        {
            await new UntilDecided(setup, record, _minutes).RunAsync(IsKept,
                (planned, isRunning) => RunStageAsync(Stage.Confirm, planned, isRunning, cancellationToken));
        }

        await RunRepeatsAsync(policy, cancellationToken);
        record.End("complete");
    }

    /// <summary>
    /// Which rows the change can touch is known only now, so no plan could refuse minutes that are too few for them. They are measured all
    /// the same: some of them may get as far as a direction.
    /// </summary>
    private void TellTooFewMinutes(Policy policy)
    {
        var left = setup.Plan.Cells.Where(cell => ArmsOf(cell.Id, (_, _) => true).Count > 1).ToList();
        if (setup.Plan.OnlyTouched && PolicyRules.TooFewMinutes(policy, Estimate.Least(left, policy)) is { } few)
        {
            progress.Report(new("what was chosen", _launched, 0, null, few.ToString()));
        }
    }

    /// <summary>What was flagged, again and some minutes later; what did not hold in one repeat is left out of the next.</summary>
    private async Task RunRepeatsAsync(Policy policy, CancellationToken cancellationToken)
    {
        var repeats = new Repeats(setup.Plan);
        for (var repeat = 0; repeat < policy.Repeats && repeats.Flagged(record.SoFar, repeat) is { Count: > 0 } flagged; repeat++)
        {
            var planned = repeats.Rounds(repeat);
            if (!repeats.HasBegun(record.SoFar, repeat))
            {
                progress.Report(new(Invariant($"waiting {RoughTime.Of(setup.Apart.TotalSeconds)} before measuring again"), _launched,
                    planned.Sum(round => ArmsOf(round.Cell, (cell, arm) => flagged.Contains((cell, arm))).Count), null, null));
                await Task.Delay(setup.Apart, setup.Clock, cancellationToken);
            }

            await RunStageAsync(Stage.Repeat, planned, (cell, arm) => flagged.Contains((cell, arm)), cancellationToken);
        }
    }

    /// <summary>Passes over the stage's rounds until a pass ends without a block having been struck: those rounds are then to do again.</summary>
    private async Task RunStageAsync(Stage stage, IReadOnlyList<PlannedRound> planned, Func<string, string, bool> isKept, CancellationToken cancellationToken)
    {
        bool isStruck;
        do
        {
            isStruck = await RunPassAsync(stage, planned, isKept, cancellationToken);
            // The last block is judged even if one before it was struck.
            isStruck = Struck(_blocks.Close(), stage) || isStruck;
        }
        while (isStruck);
    }

    /// <summary>True when rounds that it had passed are to do again.</summary>
    private async Task<bool> RunPassAsync(Stage stage, IReadOnlyList<PlannedRound> planned, Func<string, string, bool> isKept, CancellationToken cancellationToken)
    {
        var expected = planned.Select(round => ArmsOf(round.Cell, isKept) is var arms && record.Progress(round.Cell).NextAttempt(stage, round, arms) is null ? 0 : arms.Count).ToList();
        var struck = false;
        var left = expected.Sum();
        for (var next = 0; next < planned.Count; left -= expected[next], next++)
        {
            var round = planned[next];
            while (true)
            {
                var arms = ArmsOf(round.Cell, isKept);
                if (arms.Count < Math.Min(2, _cells[round.Cell].Arms.Count))
                {
                    break;
                }

                if (await rounds.RefuseUnprovenAsync(_cells[round.Cell], arms, cancellationToken) is { Count: > 0 } refused)
                {
                    progress.Report(new($"proving {round.Cell}", _launched, left, null, string.Join("; ", refused)));
                    continue;
                }

                if (record.Progress(round.Cell).HalfDone(stage, round, arms) is { } half)
                {
                    record.Add(new VoidedRound(round.Cell, stage, round.Round, half, "interrupted"));
                }

                if (record.Progress(round.Cell).NextAttempt(stage, round, arms) is not { } attempt
                    || _minutes?.HasRoomFor(round.Cell) == false)
                {
                    break;
                }

                await _blocks.OpenAsync(cancellationToken);
                var (now, tookTurns) = (new RoundAttempt(stage, round, attempt, arms), record.TakesTurns(round.Cell));
                await RunAttemptAsync(now, left, cancellationToken);
                // Without turns the cell begins anew.
                struck |= Struck(_blocks.Ran(now), stage) | (tookTurns != record.TakesTurns(round.Cell));
            }
        }

        return struck;
    }

    private bool Struck(string? reason, Stage stage)
    {
        if (reason is not null)
        {
            progress.Report(new(Words.Of(stage), _launched, 0, null, $"void: {reason}"));
        }

        return reason is not null;
    }

    private async Task RunAttemptAsync(RoundAttempt attempt, int launchesLeft, CancellationToken cancellationToken)
    {
        var cell = _cells[attempt.Round.Cell];
        var policy = setup.Plan.Policy;
        var total = attempt.Stage switch
        {
            Stage.Screen => policy.ScreenRounds,
            Stage.Confirm => policy.ConfirmRounds,
            _ => policy.Repeats * policy.ConfirmRounds,
        };
        var number = attempt.Round.Round + 1;
        var doing = Invariant($"{Words.Of(attempt.Stage)} round {number} {(number > total ? "beyond" : "of")} {total}, {NameOf(cell)}");
        var begun = setup.Clock.GetTimestamp();
        var done = 0;
        var noise = record.NoiseSoFar(cell.Id, attempt.Stage);
        await foreach (var note in rounds.RunAsync(cell, attempt, cancellationToken))
        {
            if (note.Launch is { } launch)
            {
                (_launched, done, _wallSeconds) = (_launched + 1, done + 1, _wallSeconds + launch.WallSeconds);
            }

            var left = Math.Max(0, launchesLeft - done);
            var secondsLeft = _minutes?.Left ?? (_launched == 0 ? null : _wallSeconds / _launched * left);
            progress.Report(new(doing, _launched, left, secondsLeft, note.Text) { Noise = noise, IsAtMost = _minutes is not null });
        }

        _minutes?.Took(cell.Id, setup.Clock.GetElapsedTime(begun).TotalSeconds);
    }

    // Of a project with benchmarks the one that is measured says more than the project.
    private static string NameOf(PlannedCell cell) =>
        cell.Parameters.GetValueOrDefault(BenchmarkCases.Parameter) ?? $"{cell.Workload} ({cell.Id})";

    /// <summary>The reference and the arms that are still in the race, in the plan's order; empty when the cell can't be compared any more.</summary>
    private List<string> ArmsOf(string id, Func<string, string, bool> isKept)
    {
        var cell = _cells[id];
        var health = record.Progress(cell.Id);
        var reference = cell.Arms[0].Id;
        if (_unavailable.Contains(cell.Id) || health.IsGivenUp(reference))
        {
            return [];
        }

        if (cell.Arms.Count == 1)
        {
            return [reference];
        }

        var others = cell.Arms.Skip(1)
            .Where(arm => isKept(cell.Id, arm.Id) && !health.IsGivenUp(arm.Id) && !setup.IsIdentical(cell, arm)
                && !_untouched.Contains((cell.Id, arm.Id)))
            .Select(arm => arm.Id).ToList();
        return others.Count == 0 ? [] : [reference, .. others];
    }

    /// <summary>An arm that does not build is refused once, with the compiler's words, so that the journal alone tells the story.</summary>
    private void RefuseUnbuilt()
    {
        foreach (var cell in setup.Plan.Cells.Where(cell => !_unavailable.Contains(cell.Id)))
        {
            foreach (var arm in cell.Arms.Where(arm => setup.Builds[cell.Id, arm.Id].Failure is not null && !record.Progress(cell.Id).IsGivenUp(arm.Id)))
            {
                record.Add(rounds.Refuse(cell, arm, $"{arm.Id}: {setup.Builds[cell.Id, arm.Id].Failure}"));
            }
        }
    }
}
