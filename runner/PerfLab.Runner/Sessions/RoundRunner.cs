using System.Runtime.CompilerServices;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Proof;
using PerfLab.Launching.Results;
using PerfLab.Machine.Watching;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// Launches every arm of a round once, next to each other in time, in the order drawn for this attempt, and strikes the round when the
/// machine was not the same all along.
/// </summary>
public sealed class RoundRunner(SessionSetup setup, SessionRecord record, ILauncher launcher, HygieneWatch hygiene, TimeProvider clock)
{
    private readonly LaunchSpecs _launches = setup.Launches;
    private readonly ProofLaunches _proofs = new(new TracedLaunches(setup.Launches, launcher));
    private readonly PilotLaunches _pilots = new(setup.Launches, launcher);
    private readonly CommandPilots _commands = new(setup.Launches, launcher);
    private readonly TurnsHere _turns = new(setup, record);

    /// <summary>
    /// Finds out by one launch how much a benchmark of BenchmarkDotNet does, and of a command whether it can be cut. Then launches once,
    /// traced and uncounted, every arm whose measured launches can't prove everything by themselves; one that runs otherwise than planned
    /// is refused here, before anything is measured.
    /// </summary>
    /// <returns>What happened, for the progress line; empty when every arm may be measured.</returns>
    public async Task<IReadOnlyList<string>> RefuseUnprovenAsync(
        PlannedCell planned, IReadOnlyList<string> arms, CancellationToken cancellationToken)
    {
        var cell = _turns.AsPaired(planned);
        var refused = new List<string>();
        if (await PilotFailureAsync(cell, cancellationToken) is { } failed)
        {
            record.Add(Refuse(cell, failed.Arm, failed.Reason) with { Evidence = failed.Evidence, Tail = TailOf(cell, failed.End) });
            return [failed.Reason];
        }

        if (_turns.Ends(cell, _pilots.Of(cell)) is { } against)
        {
            return [$"its arms are launched one after the other: {against}"];
        }

        foreach (var arm in cell.Arms.Where(arm => arms.Contains(arm.Id, StringComparer.Ordinal)))
        {
            if (await _proofs.RefusalAsync(cell, arm, cancellationToken) is { } refusal)
            {
                record.Add(Refuse(cell, arm, refusal.Reason!) with { Evidence = refusal.Evidence });
                refused.Add($"{arm.Id} was refused: {refusal.Reason}");
            }
        }

        return refused;
    }

    private async Task<PilotFailure?> PilotFailureAsync(PlannedCell cell, CancellationToken cancellationToken) =>
        await _pilots.FailureAsync(cell, cancellationToken) is { } failed ? PilotFailure.Of(cell.Arms[0], failed.Judged, failed.End)
        : await _commands.FailureAsync(cell, cancellationToken);

    public IAsyncEnumerable<RoundNote> RunAsync(PlannedCell planned, RoundAttempt attempt, CancellationToken cancellationToken)
    {
        var cell = _turns.AsPaired(planned);
        var order = RoundOrder.Arms(setup.Plan.Seed, attempt.Stage, attempt.Round, attempt.Attempt)
            .Where(arm => attempt.Arms.Contains(arm, StringComparer.Ordinal))
            .Select(id => cell.Arms.First(known => known.Id == id)).ToList();
        return cell.Turns is null ? OneByOneAsync(cell, attempt, order, cancellationToken)
            : InTurnsAsync(cell, attempt, order, cancellationToken);
    }

    /// <summary>Each arm to its end, then the next.</summary>
    private async IAsyncEnumerable<RoundNote> OneByOneAsync(
        PlannedCell cell, RoundAttempt attempt, List<PlannedArm> order, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var pad = PadOf(attempt);
        var before = hygiene.Read();
        var (voids, measured) = (new List<string>(), new List<Launch>());
        string? gone = null;
        for (var position = 0; position < order.Count && gone is null; position++)
        {
            var arm = order[position];
            var launch = await LaunchAsync(cell, arm, new(attempt, position, pad), cancellationToken);
            var after = hygiene.Read();
            var change = hygiene.Compare(before, after, launch.Evidence);
            (before, launch) = (after, Refused(cell, launch, measured) with { Hygiene = change.ToJson() });
            record.Add(launch);
            measured.Add(launch);
            gone = launch.Outcome == Outcome.KilledFromOutside ? launch.Reason ?? "a launch was killed from outside" : null;
            voids.AddRange(change.Voids);
            yield return RoundNote.Of(launch);
        }

        if (gone is not null || voids.Count > 0)
        {
            yield return Void(attempt, gone ?? string.Join("; ", voids));
        }

        if (gone is not null && await NotReadyAsync(cancellationToken) is { } note)
        {
            yield return note;
        }
    }

    /// <summary>All arms at once, one of them running. Nothing of it is in the journal before all ended: one that is cut is repeated whole.</summary>
    private async IAsyncEnumerable<RoundNote> InTurnsAsync(
        PlannedCell cell, RoundAttempt attempt, List<PlannedArm> order, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var turns = cell.Turns!;
        var (pad, started, before) = (PadOf(attempt), clock.GetUtcNow(), hygiene.Read());
        var nonces = order.Select(_ => LaunchEnvironment.NewNonce()).ToList();
        var end = await launcher.LaunchInTurnsAsync(
            new(
                [.. order.Zip(nonces, (arm, nonce) => _launches.Of(cell, arm, nonce, pad, run: _pilots.Of(cell)).InTurns(turns))],
                [.. order.Select(arm => arm.Id)],
                TurnOrder.Draw(setup.Plan.Seed, attempt.Stage, attempt.Round, attempt.Attempt, turns.DrawnSets, order.Count)),
            cancellationToken);
        var launches = order.Select((arm, position) =>
        {
            var taken = end.Arms[position];
            var judged = TurnsJudge.Judge(Expected(cell, arm, nonces[position]), taken);
            return ToLaunch(cell, arm, new(attempt, position, pad), started, (taken.End, judged)) with
            {
                Turns = judged.Outcome == Outcome.Measured ? taken.Slices : null,
            };
        }).ToList();
        if (_turns.Ends(cell, attempt, end, launches) is { } against)
        {
            yield return new(null, $"its arms are launched one after the other: {against}");
            yield break;
        }

        var change = hygiene.Compare(before, hygiene.Read(), TurnsJudge.Together(launches));
        var measured = new List<Launch>();
        foreach (var launch in launches.Select(launch => Refused(cell, launch, measured) with { Hygiene = change.ToJson() }))
        {
            record.Add(launch);
            measured.Add(launch);
            yield return RoundNote.Of(launch);
        }

        // Where an arm is to blame, the round is one that failed.
        var killed = measured.TrueForAll(launch => launch.Outcome is Outcome.Measured or Outcome.KilledFromOutside)
            ? measured.Find(launch => launch.Outcome == Outcome.KilledFromOutside)?.Reason : null;
        if ((end.Void ?? killed ?? (change.Voids.Count > 0 ? string.Join("; ", change.Voids) : null)) is { } reason)
        {
            yield return Void(attempt, reason);
        }

        if (end.Arms.Any(arm => arm.End.How == EndKind.EngineGone) && await NotReadyAsync(cancellationToken) is { } note)
        {
            yield return note;
        }
    }

    /// <summary>Waits until launches are possible again; what to say when they are not.</summary>
    private async Task<RoundNote?> NotReadyAsync(CancellationToken cancellationToken) =>
        await launcher.WaitUntilReadyAsync(setup.EnginePatience, cancellationToken) ? null
        : new(null, $"the {launcher.Executor} executor did not come back within {setup.EnginePatience.TotalSeconds:0} s");

    private int PadOf(RoundAttempt attempt) => EnvironmentPad.Draw(setup.Plan.Seed, attempt.Stage, attempt.Round, attempt.Attempt);

    private RoundNote Void(RoundAttempt attempt, string reason)
    {
        record.Add(new VoidedRound(attempt.Round.Cell, attempt.Stage, attempt.Round.Round, attempt.Attempt, reason));
        return new(null, $"round void: {reason}");
    }

    /// <summary>A launch that never was: the arm can't be launched at all.</summary>
    public Launch Refuse(PlannedCell cell, PlannedArm arm, string reason) => new()
    {
        Cell = cell.Id,
        Stage = setup.FirstStage,
        Round = 0,
        Position = 0,
        Arm = arm.Id,
        Started = clock.GetUtcNow(),
        WallSeconds = 0,
        Outcome = Outcome.Refused,
        Reason = reason,
    };

    private async Task<Launch> LaunchAsync(PlannedCell cell, PlannedArm arm, LaunchPlace place, CancellationToken cancellationToken)
    {
        var started = clock.GetUtcNow();
        var nonce = LaunchEnvironment.NewNonce();
        var end = await launcher.LaunchAsync(_launches.Of(cell, arm, nonce, place.Pad, run: _pilots.Of(cell)), cancellationToken);
        return ToLaunch(cell, arm, place, started, (end, LaunchJudge.Judge(Expected(cell, arm, nonce), end)));
    }

    private LaunchExpectation Expected(PlannedCell cell, PlannedArm arm, string nonce) =>
        new(cell, arm, nonce, _proofs.Of(cell, arm)) { Packages = _launches.PackagesOf(cell, arm) };

    private static Launch ToLaunch(
        PlannedCell cell, PlannedArm arm, LaunchPlace place, DateTimeOffset started, (LaunchEnd End, JudgedLaunch Judged) how)
    {
        var (end, judged) = how;
        return new()
        {
            Cell = cell.Id,
            Stage = place.Attempt.Stage,
            Round = place.Attempt.Round.Round,
            Attempt = place.Attempt.Attempt,
            Position = place.Position,
            Pad = place.Pad,
            Arm = arm.Id,
            Started = started,
            WallSeconds = end.WallSeconds,
            Outcome = judged.Outcome,
            Metrics = judged.Metrics,
            ExitCode = judged.Outcome == Outcome.Measured ? null : end.ExitCode,
            Tail = judged.Outcome == Outcome.Measured ? null : TailOf(cell, end),
            Reason = judged.Reason,
            Evidence = judged.Evidence,
        };
    }

    private static string? TailOf(PlannedCell cell, LaunchEnd end) =>
        (cell.Result == ResultFormat.BenchmarkDotNet ? BenchmarkTail.Of(end.Tail) : end.Tail) is { Length: > 0 } tail ? tail : null;

    /// <summary>A launch that did not run like the others of its round is no measurement: base against head would compare the conditions.</summary>
    private Launch Refused(PlannedCell cell, Launch launch, List<Launch> others)
    {
        var reason = launch.Outcome != Outcome.Measured ? null
            : hygiene.Inside(launch.Evidence) ?? others.Where(other => other.Outcome == Outcome.Measured)
                .Select(other => EqualConditions.Difference(cell, launch, other) ?? TurnsJudge.Refusal(cell, launch, other))
                .FirstOrDefault(difference => difference is not null);
        return reason is null ? launch : launch with
        {
            Outcome = Outcome.Refused,
            Reason = reason,
            Metrics = new Dictionary<string, double>(StringComparer.Ordinal),
            Turns = null,
        };
    }

    private sealed record LaunchPlace(RoundAttempt Attempt, int Position, int Pad);
}
