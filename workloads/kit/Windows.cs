using System.Collections.Generic;

namespace PerfLab.WorkloadKit;

/// <summary>What was done in the measured time, in total and in windows of about 100 ms.</summary>
public sealed class Windows
{
    internal Windows(long count, double seconds, WindowSeries series, RuntimeDelta runtime)
    {
        Count = count;
        Seconds = seconds;
        Series = series;
        Runtime = runtime;
    }

    /// <summary>Units of work done.</summary>
    public long Count { get; }

    /// <summary>Wall time they took, in seconds, from the monotonic clock.</summary>
    public double Seconds { get; }

    /// <summary>Units of work per second over the whole measured time (not a mean of windows).</summary>
    public double PerSecond => Count / Seconds;

    /// <summary>Units of work per second, window by window.</summary>
    public IReadOnlyList<double> Rates => Series.Rates;

    /// <summary>Bytes that all threads allocated per unit of work.</summary>
    public double AllocatedBytesPerUnit => (double)Runtime.AllocatedBytes / Count;

    /// <summary>What the runtime did meanwhile: allocation, collections, pauses, compilation.</summary>
    public RuntimeDelta Runtime { get; }

    /// <summary>The same windows with their times and what the JIT did in each.</summary>
    internal WindowSeries Series { get; }
}
