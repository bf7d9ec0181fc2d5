namespace PerfLab.Profiling;

/// <summary>The end of a launch, in which it measured, and how much work that was.</summary>
/// <param name="UnitSeconds">Seconds for one unit of work as the launch itself measured them.</param>
/// <param name="Seconds">For which it measured.</param>
public sealed record MeasuredPart(double UnitSeconds, double Seconds)
{
    /// <summary>Seconds before the last sample that are looked at: as long as it measured, and never more than there is.</summary>
    public double Window(double traceSeconds) => Math.Min(traceSeconds, Seconds);

    /// <summary>Units of work in such a window.</summary>
    public double Units(double window) => window / UnitSeconds;
}
