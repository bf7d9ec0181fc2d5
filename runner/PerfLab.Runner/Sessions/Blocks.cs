using PerfLab.Core.Model;
using PerfLab.Machine.Watching;

namespace PerfLab.Runner.Sessions;

/// <summary>The rounds between two checks of the machine. A check that fails strikes them all, and they are repeated like any other void round.</summary>
/// <param name="record">Where checks and strikes go.</param>
/// <param name="watch">Null: no checks between blocks (tests of other things).</param>
public sealed class Blocks(SessionRecord record, BlockWatch? watch)
{
    private readonly List<RoundAttempt> _rounds = [];

    /// <summary>Before a round: begins a block when none is open.</summary>
    public async Task OpenAsync(CancellationToken cancellationToken)
    {
        if (watch is { IsOpen: false } && await watch.OpenAsync(cancellationToken) is { } facts)
        {
            Write(facts);
        }
    }

    /// <summary>After a round: ends the block when it is long enough.</summary>
    /// <returns>Why the block was struck, or null.</returns>
    public string? Ran(RoundAttempt attempt)
    {
        _rounds.Add(attempt);
        return watch is { IsDue: true } ? Close() : null;
    }

    /// <summary>Ends the block that is open, if one is.</summary>
    /// <returns>Why the block was struck, or null.</returns>
    public string? Close()
    {
        if (watch is not { IsOpen: true })
        {
            return null;
        }

        var check = watch.Close(record.SoFar.Launches.Count);
        Write(check.Facts);
        var toStrike = check.Void is null ? [] : _rounds.Where(round => !IsStruck(round)).ToList();
        toStrike.ForEach(round => record.Add(new VoidedRound(round.Round.Cell, round.Stage, round.Round.Round, round.Attempt, check.Void!)));
        _rounds.Clear();
        return toStrike.Count > 0 ? check.Void : null;
    }

    private bool IsStruck(RoundAttempt round) => record.SoFar.Voids.Any(voided =>
        voided.Cell == round.Round.Cell && voided.Stage == round.Stage && voided.Round == round.Round.Round && voided.Attempt == round.Attempt);

    private void Write(JsonObject facts) => record.AddEvidence(new JsonObject { ["machineCheck"] = facts });
}
