using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>What of the machine can move during a launch; a null was not to be had.</summary>
public sealed record HygieneReading
{
    public required ClockPair Clocks { get; init; }
    public string? BootId { get; init; }
    public long? SwappedPages { get; init; }
    public long? TotalTicks { get; init; }
    public long? StealTicks { get; init; }

    /// <summary>Microseconds since boot in which all work waited for memory.</summary>
    public long? MemoryStall { get; init; }

    /// <summary>Microseconds since boot in which all work waited for a disk.</summary>
    public long? DiskStall { get; init; }

    /// <summary>Periods in which a quota stopped us or a workload.</summary>
    public long? QuotaStops { get; init; }

    /// <summary>Times that a core clocked itself down for heat.</summary>
    public long? ThermalThrottles { get; init; }

    /// <summary>Nanoseconds since boot in which anything ran on each core that is kept for workloads; null where the machine is not split.</summary>
    public IReadOnlyDictionary<int, long>? Ran { get; init; }

    /// <summary>What the kernel reported since the reading before, when it means trouble.</summary>
    public IReadOnlyList<string> Trouble { get; init; } = [];
}
