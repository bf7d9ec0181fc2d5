using PerfLab.Core.Model;

namespace PerfLab.Core.Planning.Plans;

/// <summary>
/// Cells as a comparison takes them: all from the plan, which we made. From a journal only build identities, what they overrule, and whether
/// arms that were to take turns where they can had to be launched.
/// </summary>
public static class PlannedCells
{
    /// <param name="planned">The plan's.</param>
    /// <param name="journalled">What a journal says of it; null when it holds nothing of it.</param>
    /// <param name="whenAbsent">Why it is unavailable then; null: it was to be measured all the same, so it failed.</param>
    public static Cell WithBuilds(PlannedCell planned, Cell? journalled, string? whenAbsent)
    {
        var cell = Built(planned, journalled, whenAbsent);
        return planned.Turns is { OrLaunches: true } && journalled is { Turns: null }
            ? cell with { Turns = null, NoTurns = journalled.NoTurns } : cell;
    }

    private static Cell Built(PlannedCell planned, Cell? journalled, string? whenAbsent) => planned.ToCell(
        arm => journalled?.Arms.FirstOrDefault(known => known.Id == arm)?.Build,
        arm => journalled?.Arms.FirstOrDefault(known => known.Id == arm)?.Il,
        journalled is null ? whenAbsent : journalled.Unavailable,
        arm => journalled?.Arms.FirstOrDefault(known => known.Id == arm.Id)?.Overruled);
}
