using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Results;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow.Benchmarks;

/// <summary>An open plan's arm that is built -> the benchmarks that it holds, for whoever completes the plan.</summary>
internal sealed class ListStep(Lab lab, ILauncher launcher)
{
    /// <summary>Never fails for what a project does: a list that can't be had is a sentence in the file.</summary>
    public async Task<BenchmarksFile> RunAsync(
        RunPlan plan, string arm, IReadOnlyDictionary<(string Cell, string Arm), BuildResult> results, CancellationToken cancellationToken)
    {
        var projects = new List<ListedProject>();
        foreach (var workload in plan.Unlisted ?? [])
        {
            var (list, why) = await ListAsync(plan, workload, arm, results, cancellationToken);
            lab.Terminal.Say(list is null ? $"{workload}: {why}" : $"{Counted.Of(list.Benchmarks.Count, "benchmark")} in {workload}");
            foreach (var problem in list?.Problems ?? [])
            {
                lab.Terminal.Say($"  not measured: {problem}");
            }

            projects.Add(new(workload, list?.Benchmarks ?? [], list?.Problems ?? [], why));
        }

        return new(plan.Hash, arm, projects);
    }

    private async Task<(BenchmarkList? List, string? Why)> ListAsync(RunPlan plan, string workload, string arm,
        IReadOnlyDictionary<(string Cell, string Arm), BuildResult> results, CancellationToken cancellationToken)
    {
        // One build is enough: the runtime does not change what there is.
        var built = plan.Cells.Where(cell => cell.Workload == workload).SelectMany(cell => cell.Arms.Select(one => (Cell: cell, Arm: one)))
            .FirstOrDefault(pair => pair.Arm.Id == arm && results.GetValueOrDefault((pair.Cell.Id, arm))?.Build is not null);
        if (built.Cell is null)
        {
            return (null, "it does not build");
        }

        await launcher.PrepareAsync([results[(built.Cell.Id, arm)].Build!], cancellationToken);
        return await BenchmarkLister.ListAsync(lab, built, new(results), launcher, cancellationToken);
    }
}
