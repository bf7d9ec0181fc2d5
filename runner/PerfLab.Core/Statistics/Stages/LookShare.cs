namespace PerfLab.Core.Statistics.Stages;

/// <summary>
/// What one of many sessions may spend of an error that all of them share. Shares of 1/(n(n+1)) come to 1 - 1/(N+1) after N sessions:
/// whoever edits, looks and edits again never has more than the whole, however often and for whatever reason (docs/statistics.md).
/// </summary>
public static class LookShare
{
    /// <param name="look">From 1.</param>
    public static double Of(int look)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(look, 1);
        return 1 / (look * (look + 1.0));
    }
}
