using System.Runtime.InteropServices;

namespace PerfLab.Workloads.Actors;

/// <summary>The counts of one actor, with a cache line of room on both sides: neighbours in memory must not slow each other down.</summary>
[StructLayout(LayoutKind.Explicit, Size = 192)]
internal struct PaddedCounts
{
    [FieldOffset(64)]
    public long Sent;

    [FieldOffset(72)]
    public long Handled;

    [FieldOffset(80)]
    public long Wrong;
}
