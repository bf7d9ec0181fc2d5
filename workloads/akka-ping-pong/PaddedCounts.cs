using System.Runtime.InteropServices;

namespace PerfLab.Workloads.AkkaPingPong;

/// <summary>The counts of one client, with a cache line of room on both sides: neighbours in memory must not slow each other down.</summary>
[StructLayout(LayoutKind.Explicit, Size = 192)]
internal struct PaddedCounts
{
    [FieldOffset(64)]
    public long Sent;

    [FieldOffset(72)]
    public long Replies;

    [FieldOffset(80)]
    public long Wrong;
}
