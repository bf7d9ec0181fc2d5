using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Proof;
using PerfLab.Launching.Results;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// Cells that take turns where they can: what turns out to be unable to is launched one arm after the other, from its first round on. The
/// plan can't know: it may have been made on another machine, and what a program says of its slices is known when it has said it.
/// </summary>
internal sealed class TurnsHere(SessionSetup setup, SessionRecord record)
{
    /// <summary>Before anything of a cell is measured: whether this executor, and this machine's memory, will do.</summary>
    /// <returns>Why not, each reason once.</returns>
    public static IReadOnlyList<string> Settle(RunPlan plan, SessionRecord record, ILauncher launcher, MachineRoom room)
    {
        var begun = record.SoFar.Launches.Select(launch => launch.Cell).ToHashSet(StringComparer.Ordinal);
        var reasons = new List<string>();
        foreach (var cell in plan.Cells
            .Where(cell => cell.Turns is { OrLaunches: true } && !begun.Contains(cell.Id) && record.TakesTurns(cell.Id)))
        {
            if (LaunchProblems.NoTurns(launcher, cell, room) is { } reason)
            {
                record.Add(new WithoutTurns(cell.Id, reason));
                reasons.Add(reason);
            }
        }

        return [.. reasons.Distinct(StringComparer.Ordinal)];
    }

    /// <summary>As it is measured from here on.</summary>
    public PlannedCell AsPaired(PlannedCell planned) =>
        planned.Turns is null || record.TakesTurns(planned.Id) ? planned : planned with { Turns = null };

    /// <summary>
    /// Why a benchmark's iterations can't be slices, or null: they can, or some of them were slices already.
    /// </summary>
    /// <param name="cell">That is to take turns.</param>
    /// <param name="pilot">What its pilot found; null: it has none.</param>
    public string? Ends(PlannedCell cell, BenchmarkRun? pilot)
    {
        var against = cell.Turns is { OrLaunches: true } turns && pilot is not null ? TurnsJudge.Against(turns, pilot) : null;
        return against is null || record.SoFar.Launches.Any(launch => launch.Cell == cell.Id && launch.Turns is not null)
            ? null : Without(cell, against);
    }

    /// <summary>
    /// Why a round in turns was the cell's last one, or null: it goes on. Nothing of that round is kept.
    /// </summary>
    /// <param name="cell">That took turns.</param>
    /// <param name="attempt">Of the round.</param>
    /// <param name="end">How it ended.</param>
    /// <param name="launches">The same, judged.</param>
    public string? Ends(PlannedCell cell, RoundAttempt attempt, TurnsEnd end, IReadOnlyList<Launch> launches)
    {
        // A side that ran while it was frozen may have been an accident, once.
        var against = TurnsJudge.Against(cell, end, launches) ?? (attempt.Attempt > 0 ? end.Void : null);
        return against is null || !MayEnd(cell, attempt) ? null : Without(cell, against);
    }

    private string Without(PlannedCell cell, string against)
    {
        record.Add(new WithoutTurns(cell.Id, against));
        return against;
    }

    /// <summary>
    /// While all that was measured of it is in the planned rounds of its first stage: those are done again. Where rounds in turns have decided
    /// something, it goes on with turns.
    /// </summary>
    private bool MayEnd(PlannedCell cell, RoundAttempt attempt)
    {
        var policy = setup.Plan.Policy;
        return cell.Turns is { OrLaunches: true } && attempt.Stage == setup.FirstStage
            && attempt.Round.Round < (attempt.Stage == Stage.Screen ? policy.ScreenRounds : policy.ConfirmRounds);
    }
}
