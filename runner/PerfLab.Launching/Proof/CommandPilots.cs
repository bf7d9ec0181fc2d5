using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching.Proof;

/// <summary>A pilot that is no good: its arm is refused.</summary>
/// <param name="Reason">A sentence without its full stop.</param>
public sealed record PilotFailure(PlannedArm Arm, string Reason, JsonObject Evidence, LaunchEnd End)
{
    /// <summary>Of one that measured nothing.</summary>
    public static PilotFailure Of(PlannedArm arm, JudgedLaunch judged, LaunchEnd end) => new(
        arm, $"the pilot launch of {arm.Id} failed: {judged.Reason ?? Invariant($"exit code {end.ExitCode}")}", judged.Evidence, end);
}

/// <summary>
/// One launch of each command before the first round in turns, alone: it tells whether the command lasts long enough to be cut, and works
/// while it does. Nothing else could be known of a command.
/// </summary>
public sealed class CommandPilots(LaunchSpecs launches, ILauncher launcher)
{
    /// <summary>
    /// Of its time, in processor time. One that works less waits for something that goes on while it is frozen. Not more: beside nine
    /// others on its core a command that only computes has a tenth.
    /// </summary>
    private const double LeastWork = 0.1;

    private const string Instead = "measure it with --pairing launches";

    private readonly HashSet<string> _good = new(StringComparer.Ordinal);

    /// <summary>Launches them where that is needed and was not done yet; the first that is no good, else null.</summary>
    public async Task<PilotFailure?> FailureAsync(PlannedCell cell, CancellationToken cancellationToken)
    {
        if (cell.Turns is not { ByClock: true } turns || _good.Contains(cell.Id))
        {
            return null;
        }

        foreach (var arm in cell.Arms)
        {
            var nonce = LaunchEnvironment.NewNonce();
            var end = await launcher.LaunchAsync(launches.Of(cell, arm, nonce, EnvironmentPad.OfProof), cancellationToken);
            var judged = LaunchJudge.Judge(new(cell, arm, nonce, ProofLaunch: null), end);
            if (judged.Outcome != Outcome.Measured)
            {
                return PilotFailure.Of(arm, judged, end);
            }

            if (Unfit(end, turns) is { } reason)
            {
                return new(arm, $"the pilot launch of {arm.Id} {reason}; {Instead}", judged.Evidence, end);
            }
        }

        _good.Add(cell.Id);
        return null;
    }

    /// <summary>To follow its name; null when it can take turns.</summary>
    private static string? Unfit(LaunchEnd end, TurnPlan turns) =>
        end.WallSeconds < turns.Slices * turns.SliceSeconds
            ? Invariant($"took {end.WallSeconds:0.###} s, too short to be cut into {turns.Slices} slices of ")
                + Invariant($"{1000 * turns.SliceSeconds:0.###} ms")
        : end.Evidence["cpuSeconds"]?.GetValue<double>() is { } worked && worked < LeastWork * end.WallSeconds
            ? Invariant($"worked for {worked:0.###} s of {end.WallSeconds:0.###} s: what it waits for goes on while it is frozen")
        : null;
}
