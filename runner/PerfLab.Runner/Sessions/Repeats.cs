using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.Sessions;

/// <summary>Which pairs each repeat measures, read off the journal: going on after a crash asks the same.</summary>
internal sealed class Repeats(RunPlan plan)
{
    /// <summary>The rounds of one repeat, from 0.</summary>
    public IReadOnlyList<PlannedRound> Rounds(int repeat) => [.. plan.Repeat!.Where(round => Of(round.Round) == repeat)];

    /// <summary>(cell, arm) of what the first session flagged and every repeat before this one agreed to.</summary>
    public HashSet<(string Cell, string Arm)> Flagged(SampleSet soFar, int repeat)
    {
        var launches = soFar.Launches.Where(launch => launch.Stage != Stage.Repeat || Of(launch.Round) < repeat);
        var before = soFar with { Launches = [.. launches] };
        return [.. Comparer.Compare(before, new(plan.Policy, "plan")).Cells
            .Where(row => row.Verdict is Verdict.Regressed or Verdict.Improved).Select(row => (row.Cell, row.Arm))];
    }

    public bool HasBegun(SampleSet soFar, int repeat) =>
        soFar.Launches.Any(launch => launch.Stage == Stage.Repeat && Of(launch.Round) == repeat);

    private int Of(int round) => round / Math.Max(1, plan.Policy.ConfirmRounds);
}
