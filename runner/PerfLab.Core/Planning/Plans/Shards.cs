using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Planning.Plans;

/// <summary>
/// Splits a plan over machines: cells, never rounds, so that base and head of a cell always share a machine. Screen and confirm stage are
/// decided for each cell alone, so no shard needs anything of another; the comparison tests all of them as one family. What a shard flags
/// by itself it measures again: that is never less than what all together flag, because a larger family only raises p-values.
/// </summary>
public static class Shards
{
    /// <summary>
    /// The plan in <paramref name="count"/> shards of about the same length: the longest cell first, each to the shard that has least so
    /// far (Graham 1969: at most 4/3 of the best split). The hash is over the shards too.
    /// </summary>
    /// <param name="plan">Split already, it is split anew.</param>
    /// <param name="count">At least one, at most as many as cells can be measured.</param>
    public static RunPlan Split(RunPlan plan, int count)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        var lengths = Lengths(plan);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Math.Max(1, lengths.Count));
        if (count == 1)
        {
            return plan.Shards is null ? plan
                : Hashed(plan with { Shards = null, Estimate = plan.Estimate with { LongestShard = null } });
        }

        var shards = Deal(lengths, count);
        // What can't be measured takes no time; the first shard says why.
        var idle = plan.Cells.Where(cell => cell.Unavailable is not null).Select(cell => cell.Id);
        shards[0].Cells.AddRange(idle);
        var place = plan.Cells.Index().ToDictionary(cell => cell.Item.Id, cell => cell.Index, StringComparer.Ordinal);
        var split = plan with
        {
            Shards = [.. shards.Select(shard => (IReadOnlyList<string>)[.. shard.Cells.OrderBy(cell => place[cell])])],
        };
        var (least, most) = Together(split);
        return Hashed(split with { Estimate = split.Estimate with { LongestShard = new(least, most) } });
    }

    /// <summary>How many machines the plan can use at most: as many as it has cells that can be measured.</summary>
    public static int Most(RunPlan plan) => Math.Max(1, plan.Cells.Count(cell => cell.Unavailable is null));

    /// <summary>The fewest shards none of which takes longer than that; null when one cell alone does.</summary>
    /// <param name="plan">Not split yet.</param>
    /// <param name="seconds">Of measuring, with every confirm round.</param>
    public static int? Within(RunPlan plan, double seconds)
    {
        var lengths = Lengths(plan);
        var cells = plan.Cells.ToDictionary(cell => cell.Id, StringComparer.Ordinal);
        for (var count = 1; count <= lengths.Count && Fits([lengths[0].Cell]); count++)
        {
            if (Deal(lengths, count).TrueForAll(shard => Fits(shard.Cells)))
            {
                return count;
            }
        }

        return lengths.Count == 0 ? 1 : null;

        // The figure that is shown to people, with its rounding: what was shown as enough is enough.
        bool Fits(IEnumerable<string> shard) => Of([.. shard.Select(cell => cells[cell])], plan).MostSeconds <= seconds;
    }

    /// <summary>What one shard measures, as a plan: its cells and rounds, its own estimate, and the hash of the whole.</summary>
    /// <param name="plan">Split.</param>
    /// <param name="shard">From 1.</param>
    public static RunPlan Only(RunPlan plan, int shard)
    {
        var cells = plan.Shards![shard - 1].ToHashSet(StringComparer.Ordinal);
        IReadOnlyList<PlannedCell> own = [.. plan.Cells.Where(cell => cells.Contains(cell.Id))];
        return plan with
        {
            Cells = own,
            Screen = [.. plan.Screen.Where(round => cells.Contains(round.Cell))],
            Confirm = [.. plan.Confirm.Where(round => cells.Contains(round.Cell))],
            Repeat = plan.Repeat is { } repeat ? [.. repeat.Where(round => cells.Contains(round.Cell))] : null,
            Estimate = Of(own, plan),
        };
    }

    /// <summary>From when the first shard starts to when the last is done, if all start at once: the longest of them.</summary>
    public static (double LeastSeconds, double MostSeconds) Together(RunPlan plan)
    {
        var each = Enumerable.Range(1, plan.Shards?.Count ?? 0).Select(shard => Only(plan, shard).Estimate)
            .DefaultIfEmpty(plan.Estimate).ToList();
        return (each.Max(estimate => estimate.LeastSeconds), each.Max(estimate => estimate.MostSeconds));
    }

    private static PlanEstimate Of(IReadOnlyList<PlannedCell> cells, RunPlan plan) => Estimate.Of(
        [.. cells.Where(cell => cell.Unavailable is null)], plan.Policy,
        plan.Estimate.Cost is { } cost ? new MachinePrice(cost.Machine, cost.PricePerHour) : null, isSelected: plan.OnlyTouched);

    private static RunPlan Hashed(RunPlan plan) => plan with { Hash = PlanFile.Hash(plan) };

    /// <summary>Seconds that a machine waits before it measures again what it flagged, however many cells it has.</summary>
    private static double Apart(RunPlan plan) => plan.Policy.Repeats * Policy.RepeatApart;

    /// <summary>Cells that can be measured with what each takes with every round, without the waiting between them, the longest first.</summary>
    private static List<(string Cell, double Seconds)> Lengths(RunPlan plan) =>
    [
        .. plan.Cells.Where(cell => cell.Unavailable is null)
            .Select(cell => (cell.Id, MostSeconds: Estimate.Of([cell], plan.Policy, null).MostSeconds - Apart(plan)))
            .OrderByDescending(cell => cell.MostSeconds),
    ];

    private static List<(List<string> Cells, double Seconds)> Deal(List<(string Cell, double Seconds)> lengths, int count)
    {
        var shards = Enumerable.Range(0, count).Select(_ => (Cells: new List<string>(), Seconds: 0.0)).ToList();
        foreach (var (cell, seconds) in lengths)
        {
            var least = shards.IndexOf(shards.MinBy(shard => shard.Seconds));
            shards[least].Cells.Add(cell);
            shards[least] = (shards[least].Cells, shards[least].Seconds + seconds);
        }

        return shards;
    }
}
