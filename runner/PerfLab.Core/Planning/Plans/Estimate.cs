using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Profiles;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Planning.Plans;

/// <summary>
/// How long a plan takes to measure: its launches, those that only prove settings, and the checks of the machine between blocks. What can't be known
/// before comes on top: rounds that are repeated, and on metal the wait for a machine to cool down. Held against a session of 377 launches in
/// containers (2026-11-21): 959 s expected, 965 s taken.
/// </summary>
public static class Estimate
{
    /// <summary>
    /// Seconds that starting and ending a launch takes beside its warm-up and measuring: 0.4 to 0.6 there, 0.9 with pgo=full.
    /// </summary>
    private const double LaunchOverheadSeconds = 0.6;

    /// <summary>Seconds between two slices: one side is frozen, which is proven, and the other goes on.</summary>
    private const double BorderSeconds = 0.01;

    /// <summary>A check takes at most half a second, and there is one every two minutes (docs/internals/hygiene.md).</summary>
    private const double CheckShare = 0.5 / 120;

    private const double SecondsPerHour = 3600;

    /// <summary>What tracing and reading the trace add to a launch: about 2 s (docs/internals/evidence.md, "perf-lab explain").</summary>
    private const double TraceSeconds = 2;

    /// <param name="machine">Where its time costs money; null: nothing is known of a price.</param>
    /// <param name="isExplained">What moves is traced, when all is measured.</param>
    /// <param name="isSelected">Rows that the change can't touch are left out before anything is measured: any one may be the only one.</param>
    internal static PlanEstimate Of(
        IReadOnlyCollection<PlannedCell> cells, Policy policy, MachinePrice? machine, bool isExplained = false, bool isSelected = false)
    {
        var (round, launches) = (cells.Sum(cell => cell.Arms.Sum(arm => LaunchSeconds(cell, arm))), cells.Sum(cell => cell.Arms.Count));
        var proofs = cells.Sum(cell =>
            (ProofNeed.Count(cell) + (cell.Result == ResultFormat.BenchmarkDotNet ? 1 : 0)) * LaunchSeconds(cell));
        var least = policy.ScreenRounds == 0 ? policy.ConfirmRounds : policy.ScreenRounds;
        var most = policy.ScreenRounds + (policy.ConfirmRounds * (1 + policy.Repeats));
        var explaining = isExplained ? ExplainSeconds(cells) : 0;
        if (policy.Within > 0)
        {
            var fewest = isSelected && cells.Count > 1
                ? cells.Select(cell => (Seconds: Of([cell], policy, null).LeastSeconds, cell.Arms.Count)).Min()
                : (Seconds: Seconds(Fewest(policy)), Count: launches);
            return OfMinutes((round, launches), fewest, policy, machine, explaining);
        }

        var mostSeconds = cells.Count == 0 ? 0 : Seconds(most) + (policy.Repeats * Policy.RepeatApart) + explaining;
        var estimate = new PlanEstimate(Seconds(least), mostSeconds, least * launches, most * launches);
        return Priced(estimate, machine);

        double Seconds(int rounds) => Math.Round(((rounds * round) + proofs) * (1 + CheckShare), 1);
    }

    /// <summary>Seconds of the fewest rounds that say anything of all these cells, with what is launched to prove settings.</summary>
    public static double Least(IReadOnlyCollection<PlannedCell> cells, Policy policy) => Of(cells, policy, null).LeastSeconds;

    /// <summary>Rounds before which no row of a plan with minutes ends: fewer give no answer at all.</summary>
    public static int Fewest(Policy policy) =>
        policy.ScreenRounds > 0 ? policy.ScreenRounds : Math.Min(GoingOnRule.Looks[0], policy.ConfirmRounds);

    /// <summary>From the fewest rounds that say anything to as many launches as the minutes hold; explaining comes after them.</summary>
    private static PlanEstimate OfMinutes(
        (double Seconds, int Launches) round, (double Seconds, int Launches) fewest, Policy policy, MachinePrice? machine, double explaining)
    {
        var (least, seconds) = (Fewest(policy) * fewest.Launches, 60 * policy.Within);
        var most = round.Seconds > 0 ? (int)Math.Min(int.MaxValue, seconds / round.Seconds * round.Launches) : least;
        var mostSeconds = Math.Max(fewest.Seconds, round.Launches == 0 ? 0 : seconds) + explaining;
        return Priced(new(fewest.Seconds, mostSeconds, least, Math.Max(least, most)), machine);
    }

    private static PlanEstimate Priced(PlanEstimate estimate, MachinePrice? machine) => machine is null ? estimate : estimate with
    {
        Cost = new(machine.Name, machine.PerHour, Cost(machine, estimate.LeastSeconds), Cost(machine, estimate.MostSeconds)),
    };

    /// <summary>Both arms of the most rows that are explained, if they are those that take longest.</summary>
    private static double ExplainSeconds(IEnumerable<PlannedCell> cells) => Math.Round(2 * ProfileComparison.Rounds * cells
        .SelectMany(cell => Enumerable.Repeat(LaunchSeconds(cell) + TraceSeconds, Math.Max(0, cell.Arms.Count - 1)))
        .OrderDescending().Take(ProfileComparison.MostRows).Sum(), 1);

    private static double Cost(MachinePrice machine, double seconds) => Math.Round(machine.PerHour * seconds / SecondsPerHour, 4);

    /// <summary>Of the arm that takes longest.</summary>
    private static double LaunchSeconds(PlannedCell cell) => cell.Arms.Max(arm => LaunchSeconds(cell, arm));

    private static double LaunchSeconds(PlannedCell cell, PlannedArm arm) =>
        cell.ExpectedWarmUpSeconds(arm) + LaunchOverheadSeconds
        + (cell.Turns is { } turns ? turns.Slices * (turns.SliceSeconds + BorderSeconds) : cell.Launch.MeasureSeconds);
}
