using System;

namespace PerfLab.WorkloadKit;

/// <summary>The runtime's own counters at one moment. What a runtime can't tell stays null and is left out of the evidence.</summary>
internal sealed class RuntimeSnapshot
{
    private long AllocatedBytes { get; set; }

    private int[] Collections { get; } = new int[3];

    private TimeSpan? Pause { get; set; }

    private long? CompiledMethods { get; set; }

    private TimeSpan? Processor { get; set; }

    public static RuntimeSnapshot Take()
    {
        var snapshot = new RuntimeSnapshot
        {
            AllocatedBytes = RuntimeFacts.AllocatedBytes(),
            Pause = RuntimeFacts.TotalPause(),
            CompiledMethods = RuntimeFacts.CompiledMethods(),
            Processor = ProcessorClock.Now(),
        };
        for (var generation = 0; generation < snapshot.Collections.Length; generation++)
        {
            snapshot.Collections[generation] = GC.CollectionCount(generation);
        }

        return snapshot;
    }

    public RuntimeDelta Since(RuntimeSnapshot before) => new()
    {
        AllocatedBytes = AllocatedBytes - before.AllocatedBytes,
        Gen0 = Collections[0] - before.Collections[0],
        Gen1 = Collections[1] - before.Collections[1],
        Gen2 = Collections[2] - before.Collections[2],
        PauseSeconds = (Pause - before.Pause)?.TotalSeconds,
        CompiledMethods = CompiledMethods - before.CompiledMethods,
        ProcessorSeconds = (Processor - before.Processor)?.TotalSeconds,
    };
}

/// <summary>What the runtime did in the measured time.</summary>
public sealed class RuntimeDelta
{
    internal RuntimeDelta() { }

    /// <summary>Bytes allocated by all threads (GC.GetTotalAllocatedBytes with precise: true).</summary>
    public long AllocatedBytes { get; internal set; }

    /// <summary>Collections of generation 0, those of older generations included, as the runtime counts.</summary>
    public int Gen0 { get; internal set; }
    public int Gen1 { get; internal set; }
    public int Gen2 { get; internal set; }

    /// <summary>Total GC pause in seconds; null before .NET 7, which can't tell.</summary>
    public double? PauseSeconds { get; internal set; }

    /// <summary>Methods compiled, tiering included: 0 in a steady launch; null before .NET 6.</summary>
    public long? CompiledMethods { get; internal set; }

    /// <summary>Processor time of this process in seconds, all threads; null where the kernel can't tell.</summary>
    public double? ProcessorSeconds { get; internal set; }
}
