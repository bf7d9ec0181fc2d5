using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Planning;

/// <summary>
/// What is left to do of one cell's rounds, read off its records so far: the session loop and a resumed session decide by the same rule.
/// </summary>
public sealed class RoundProgress(IReadOnlyList<Launch> launches, IReadOnlyList<VoidedRound> voids)
{
    /// <summary>An arm that was never measured in this many launches is given up: every further launch would fail the same way.</summary>
    public const int FailuresToGiveUp = CountedRounds.LastAttempt + 1;

    /// <summary>The attempt to launch next, or null when the round is done or given up.</summary>
    public int? NextAttempt(Stage stage, PlannedRound round, IReadOnlyList<string> arms)
    {
        var mine = Of(stage, round).ToList();
        var struck = voids.Where(voided => voided.Stage == stage && voided.Round == round.Round).ToList();
        if (mine.Count == 0 && struck.Count == 0)
        {
            return 0;
        }

        var last = mine.Select(launch => launch.Attempt).Concat(struck.Select(voided => voided.Attempt)).Max();
        var measured = mine.Count(launch => launch.Attempt == last && launch.Outcome == Outcome.Measured && arms.Contains(launch.Arm, StringComparer.Ordinal));
        var done = measured == arms.Count && struck.All(voided => voided.Attempt != last);
        return done || last >= CountedRounds.LastAttempt ? null : last + 1;
    }

    /// <summary>The attempt that was cut in the middle, or null: fewer launches than arms, and not struck.</summary>
    public int? HalfDone(Stage stage, PlannedRound round, IReadOnlyList<string> arms)
    {
        var mine = Of(stage, round).ToList();
        if (mine.Count == 0)
        {
            return null;
        }

        var last = mine.Max(launch => launch.Attempt);
        var struck = voids.Any(voided => voided.Stage == stage && voided.Round == round.Round && voided.Attempt == last);
        return struck || mine.Count(launch => launch.Attempt == last) >= arms.Count ? null : last;
    }

    /// <summary>Refused once (it would be refused again), or failed at every one of its first launches.</summary>
    public bool IsGivenUp(string arm)
    {
        var mine = launches.Where(launch => launch.Arm == arm).ToList();
        return mine.Any(launch => launch.Outcome == Outcome.Refused)
            || (mine.All(launch => launch.Outcome != Outcome.Measured)
                && mine.Count(launch => launch.Outcome != Outcome.KilledFromOutside) >= FailuresToGiveUp);
    }

    private IEnumerable<Launch> Of(Stage stage, PlannedRound round) =>
        launches.Where(launch => launch.Stage == stage && launch.Round == round.Round);
}
