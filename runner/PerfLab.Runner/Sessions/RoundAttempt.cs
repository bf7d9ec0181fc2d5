using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Runner.Sessions;

/// <summary>One try at one round with the arms that take part.</summary>
public sealed record RoundAttempt(Stage Stage, PlannedRound Round, int Attempt, IReadOnlyList<string> Arms);

/// <summary>Something that happened in a round: a launch ended, or the round was struck.</summary>
public sealed record RoundNote(Launch? Launch, string? Text)
{
    /// <summary>One that was measured needs no words.</summary>
    public static RoundNote Of(Launch launch) => new(launch, launch.Outcome == Outcome.Measured
        ? null
        : $"{launch.Arm} {launch.Outcome switch
        {
            Outcome.TimedOut => "timed out",
            Outcome.OutOfMemory => "ran out of memory",
            Outcome.KilledFromOutside => "was killed from outside",
            Outcome.Refused => "was refused",
            _ => "failed",
        }}{(launch.ExitCode is { } code ? $", exit code {code}" : "")}{(launch.Reason is { } reason ? $": {reason}" : "")}");
}
