using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Launching;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// Before anything is measured: says of each pair of builds what differs, and of each row whether that can touch it. What is not proven is
/// measured. Each answer is in the journal before the next question, so that going on asks nothing twice.
/// </summary>
public sealed class Selection(SessionSetup setup, SessionRecord record, ILauncher launcher, IProgress<SessionProgress> progress)
{
    private readonly TouchJudge _judge = new(setup.Builds, new(setup.Launches, launcher, new(setup.Touches)));

    /// <summary>Returns the session as it is measured: without a screen where few rows are left, as a plan of so few has none.</summary>
    public async Task<SessionSetup> RunAsync(CancellationToken cancellationToken)
    {
        var pairs = !setup.Plan.OnlyTouched ? []
            : setup.Plan.Cells.SelectMany(cell => cell.Arms.Skip(1).Select(arm => (Cell: cell, Arm: arm)))
            .Where(pair => IsAsked(pair.Cell, pair.Arm)).ToList();
        foreach (var (cell, arm) in pairs)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var name = cell.Parameters.GetValueOrDefault(BenchmarkCases.Parameter) ?? cell.Id;
            progress.Report(new($"what {name} runs", 0, pairs.Count, null, null));
            var (difference, touched) = await _judge.OfAsync(cell, arm, cancellationToken);
            record.Add(difference);
            record.Add(touched);
        }

        return GoesStraight() ? Unscreened() : setup;
    }

    /// <summary>
    /// Never where somebody asked for rounds of his own. A session goes on as it began: the journal says whether there was a screen.
    /// </summary>
    private bool GoesStraight()
    {
        if (!setup.Plan.OnlyTouched || setup.Plan.Request is not { Rounds: null } || setup.Plan.Policy.ScreenRounds == 0)
        {
            return false;
        }

        var launched = record.SoFar.Launches.Where(launch => launch.Outcome != Outcome.Refused).ToList();
        return launched.Count > 0 ? launched.TrueForAll(launch => launch.Stage != Stage.Screen)
            : Left() is > 0 and var pairs && PolicyRules.ForPairs(setup.Plan.Policy, pairs).ScreenRounds == 0;
    }

    /// <summary>Pairs that are measured.</summary>
    private int Left()
    {
        var untouched = record.Untouched;
        return setup.Plan.Cells.Where(cell => cell.Unavailable is null).Sum(cell => cell.Arms.Skip(1).Count(arm =>
            setup.Builds[cell.Id, arm.Id].Build is not null && setup.Builds[cell.Id, cell.Arms[0].Id].Build is not null
            && !setup.IsIdentical(cell, arm) && !untouched.Contains((cell.Id, arm.Id))));
    }

    private SessionSetup Unscreened()
    {
        var policy = setup.Plan.Policy with { ScreenRounds = 0 };
        progress.Report(new("what was chosen", 0, 0, null, Invariant($"so few rows need no screen: {policy.ConfirmRounds} rounds each")));
        return setup with { Plan = setup.Plan with { Policy = policy, Screen = [] } };
    }

    /// <summary>Built, compared with another build alone, and not asked before.</summary>
    private bool IsAsked(PlannedCell cell, PlannedArm arm)
    {
        var (reference, build) = (setup.Builds[cell.Id, cell.Arms[0].Id].Build, setup.Builds[cell.Id, arm.Id].Build);
        return reference is not null && build is not null && reference.Identity != build.Identity && cell.Unavailable is null
            && PairEvidence.DifferInBuildOnly(arm.Dimensions, cell.Arms[0].Dimensions)
            && !record.SoFar.Touches.Any(touch => touch.Cell == cell.Id && touch.Arm == arm.Id)
            // A journal from before there was such a question goes on as it began.
            && !record.SoFar.Launches.Any(launch => launch.Cell == cell.Id);
    }
}
