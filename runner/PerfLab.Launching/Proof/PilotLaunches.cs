using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Results;

namespace PerfLab.Launching.Proof;

/// <summary>
/// One launch of the reference before the first round of a benchmark of BenchmarkDotNet, which finds out how many operations an iteration
/// needs. All arms then do as many: each finding out for itself would compare different amounts of work.
/// </summary>
public sealed class PilotLaunches(LaunchSpecs launches, ILauncher launcher)
{
    // What an iteration is in turns is a slice.
    private readonly Dictionary<(string Cell, bool InTurns), BenchmarkRun> _found = [];

    /// <summary>What a launch of the cell does; null where there was no pilot.</summary>
    public BenchmarkRun? Of(PlannedCell cell) => _found.GetValueOrDefault(Key(cell));

    /// <summary>Launches the pilot when that is needed and was not done yet; how it ended when it is no good, else null.</summary>
    public async Task<(JudgedLaunch Judged, LaunchEnd End)?> FailureAsync(PlannedCell cell, CancellationToken cancellationToken)
    {
        if (cell.Result != ResultFormat.BenchmarkDotNet || _found.ContainsKey(Key(cell)))
        {
            return null;
        }

        var nonce = LaunchEnvironment.NewNonce();
        var end = await launcher.LaunchAsync(launches.Of(cell, cell.Arms[0], nonce, EnvironmentPad.OfProof), cancellationToken);
        // Whether it ran as planned is asked of the launches that count.
        var judged = LaunchJudge.Judge(new(cell, cell.Arms[0], nonce, ProofLaunch: null), end);
        if (judged.Pilot is not { } found)
        {
            const string NoFigures = "BenchmarkDotNet's report does not say what an iteration took";
            return (judged.Outcome == Outcome.Measured ? judged with { Reason = NoFigures } : judged, end);
        }

        _found[Key(cell)] = found;
        return null;
    }

    private static (string Cell, bool InTurns) Key(PlannedCell cell) => (cell.Id, cell.Turns is not null);
}
