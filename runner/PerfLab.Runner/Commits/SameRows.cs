using PerfLab.Building;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Proof;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Commits;

/// <summary>Whether nothing that any row of a plan runs differs between two builds (docs/selection.md).</summary>
internal sealed class SameRows(Lab lab, ILauncher launcher)
{
    public async Task<bool> AreSameAsync(
        RunPlan plan, ArmBuilds builds, string reference, string arm, CancellationToken cancellationToken)
    {
        await launcher.PrepareAsync([.. builds.Builds], cancellationToken);
        var launches = new LaunchSpecs(SessionFolder.NewId(lab.Terminal.Clock), builds, lab.WorkloadCpus);
        var judge = new TouchJudge(builds, new(launches, launcher, new(TouchStore.In(lab.Config.Store))));
        foreach (var cell in plan.Cells.Where(cell => cell.Unavailable is null))
        {
            var (old, now) = (builds[cell.Id, reference].Build, builds[cell.Id, arm].Build);
            if (old is null || now is null
                || (old.Identity != now.Identity && !(await judge.OfAsync(cell, cell.Arms[^1], cancellationToken)).Touched.Untouched))
            {
                return false;
            }
        }

        return true;
    }
}
