using System;
using System.Collections.Generic;

namespace PerfLab.WorkloadKit;

/// <summary>What was done in the measured time, in total and in windows of about 100 ms.</summary>
public sealed class Windows
{
    /// <summary>
    /// Bytes of the smallest object, 24 on 64 bit: header, type and one field, a pointer each (MIN_OBJECT_SIZE in the runtime's
    /// src/coreclr/vm/object.h).
    /// </summary>
    private static readonly int SmallestObject = 3 * IntPtr.Size;

    internal Windows(long count, double seconds, TimedWindows series, RuntimeDelta runtime)
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

    /// <summary>Bytes that all threads of this process allocated per unit of work; see <see cref="PerUnit"/>.</summary>
    public double AllocatedBytesPerUnit => PerUnit(Runtime.AllocatedBytes);

    /// <summary>
    /// Allocated bytes per unit of work. 0 when they are less than one object for each unit: that is no cost of the work but a constant (the
    /// measurement's own, a segment now and then), and divided by a count it would fall when the work gets faster.
    /// </summary>
    public double PerUnit(long allocatedBytes) => allocatedBytes < SmallestObject * Count ? 0 : (double)allocatedBytes / Count;

    /// <summary>What the runtime did meanwhile: allocation, collections, pauses, compilation.</summary>
    public RuntimeDelta Runtime { get; }

    /// <summary>The same windows with their times and what the JIT did in each.</summary>
    internal TimedWindows Series { get; }
}
