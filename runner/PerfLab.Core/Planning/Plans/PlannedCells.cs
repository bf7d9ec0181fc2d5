using PerfLab.Core.Model;

namespace PerfLab.Core.Planning.Plans;

/// <summary>
/// Cells as a comparison takes them: all from the plan, which we made; only build identities, and what they overrule, from a journal.
/// </summary>
public static class PlannedCells
{
    /// <param name="planned">The plan's.</param>
    /// <param name="journalled">What a journal says of it; null when it holds nothing of it.</param>
    /// <param name="whenAbsent">Why it is unavailable then; null: it was to be measured all the same, so it failed.</param>
    public static Cell WithBuilds(PlannedCell planned, Cell? journalled, string? whenAbsent) => planned.ToCell(
        arm => journalled?.Arms.FirstOrDefault(known => known.Id == arm)?.Build,
        arm => journalled?.Arms.FirstOrDefault(known => known.Id == arm)?.Il,
        journalled is null ? whenAbsent : journalled.Unavailable,
        arm => journalled?.Arms.FirstOrDefault(known => known.Id == arm.Id)?.Overruled);
}
