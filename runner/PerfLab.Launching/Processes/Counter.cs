using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>One event of the kernel or the processor that can be counted (perf_event_open(2); include/uapi/linux/perf_event.h).</summary>
/// <param name="Name">In the journal.</param>
/// <param name="Type">0: the processor's own; 1: the kernel's.</param>
/// <param name="Config">Which one of that type.</param>
/// <param name="Scale">From what is read to the unit of the name.</param>
internal sealed record Counter(string Name, uint Type, ulong Config, double Scale = 1)
{
    private const uint Hardware = 0, Software = 1;

    /// <summary>struct perf_event_attr up to its fifth version; the kernel takes shorter ones.</summary>
    private const int AttributeBytes = 112;

    /// <summary>Time that it was wanted, and time that it really ran: some processors have fewer counters than are asked for.</summary>
    private const ulong BothTimes = 3;

    private const ulong Disabled = 1, Inherit = 1 << 1, ExcludeKernel = 1 << 5, ExcludeHypervisor = 1 << 6, EnableOnExec = 1 << 12;
    private const ulong CloseOnExec = 1 << 3;

    /// <summary>In the order of the journal.</summary>
    public static IReadOnlyList<Counter> All { get; } =
    [
        new("taskClockSeconds", Software, 1, 1e-9), new("contextSwitches", Software, 3), new("migrations", Software, 4),
        new("pageFaults", Software, 2), new("instructions", Hardware, 1), new("cycles", Hardware, 0), new("branchMisses", Hardware, 5),
        new("cacheMisses", Hardware, 3),
    ];

    /// <summary>
    /// Opens it on the calling thread for what this thread starts from now on: it begins to count at the next exec, and counts every
    /// descendant. -1 when the machine does not grant it.
    /// </summary>
    public unsafe int Open()
    {
        var attributes = stackalloc byte[AttributeBytes];
        new Span<byte>(attributes, AttributeBytes).Clear();
        // What the processor counts in the kernel is only for root, so nobody gets it: the figures mean the same on every machine.
        var options = Disabled | Inherit | EnableOnExec | (Type == Hardware ? ExcludeKernel | ExcludeHypervisor : 0);
        *(uint*)attributes = Type;
        *(uint*)(attributes + 4) = AttributeBytes;
        *(ulong*)(attributes + 8) = Config;
        *(ulong*)(attributes + 32) = BothTimes;
        *(ulong*)(attributes + 40) = options;
        return Libc.OpenPerfEvent(attributes, CloseOnExec);
    }

    /// <summary>What it counted, scaled to the whole time; null when it never ran.</summary>
    public unsafe double? Read(int descriptor)
    {
        var values = stackalloc ulong[3];
        var bytes = 3 * sizeof(ulong);
        return Libc.Read(descriptor, (byte*)values, (nuint)bytes) == bytes && values[2] > 0
            ? values[0] * Scale * ((double)values[1] / values[2]) : null;
    }
}
