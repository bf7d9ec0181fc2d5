namespace PerfLab.Profiling;

/// <summary>The end of a launch, in which it measured, and how much work that was.</summary>
/// <param name="UnitSeconds">Seconds for one unit of work as the launch itself measured them: 1 / rate, or its time.</param>
/// <param name="PlannedSeconds">For which it was told to measure; 0 where it decides itself.</param>
public sealed record MeasuredPart(double UnitSeconds, double PlannedSeconds)
{
    /// <summary>
    /// Seconds before the last sample that are looked at. A workload whose unit is the whole measured part (a fixed amount of work)
    /// takes as long as that
    /// unit; any other one measures for as long as it was told.
    /// </summary>
    public double Window(double traceSeconds) =>
        Math.Min(traceSeconds, UnitSeconds > PlannedSeconds / 2 ? UnitSeconds : PlannedSeconds);

    /// <summary>Units of work in such a window.</summary>
    public double Units(double window) => window / UnitSeconds;
}
