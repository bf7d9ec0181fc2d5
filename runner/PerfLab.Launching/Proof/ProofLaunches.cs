using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching.Proof;

/// <summary>One traced launch for each arm that needs it (<see cref="ProofNeed"/>).</summary>
public sealed class ProofLaunches(TracedLaunches traced)
{
    private readonly Dictionary<(string Cell, string Arm), ProofLaunchFacts?> _done = [];

    /// <summary>What the proof launch told, or null when there was none.</summary>
    public ProofLaunchFacts? Of(PlannedCell cell, PlannedArm arm) => _done.GetValueOrDefault((cell.Id, arm.Id));

    /// <summary>Launches the arm when that is needed and was not done yet; the judgement when it did not run as planned, else null.</summary>
    public async Task<JudgedLaunch?> RefusalAsync(PlannedCell cell, PlannedArm arm, CancellationToken cancellationToken)
    {
        if (_done.ContainsKey((cell.Id, arm.Id)))
        {
            return null;
        }

        if (Providers(arm) is not { } providers)
        {
            _done[(cell.Id, arm.Id)] = null;
            return null;
        }

        var launch = await traced.LaunchAsync(cell, arm, providers, cancellationToken);
        _done[(cell.Id, arm.Id)] = new(launch.Readings.Count == 0 ? null : launch.Facts, launch.Doubts);
        return launch.Judged is { Outcome: Outcome.Refused } ? launch.Judged : null;
    }

    private static string? Providers(PlannedArm arm) => ProofNeed.Of(arm) switch
    {
        ProofKind.Jit => TraceVariables.Jit,
        ProofKind.JitAndGc => TraceVariables.JitAndGc,
        _ => null,
    };
}
