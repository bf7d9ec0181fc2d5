using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>Memory: where it lies, how it is cut, and whether there is enough.</summary>
internal static class MemoryRows
{
    public static HygieneRow[] All { get; } =
    [
        // Huge pages only for who asks: "always" makes memory and pauses depend on how fragmented the machine is.
        new(14, ["hugePages"],
            Row.Fact("hugePages.enabled", scan => scan.Fact("/sys/kernel/mm/transparent_hugepage/enabled", KernelText.Choice)),
            Row.Fact("hugePages.defrag", scan => scan.Fact("/sys/kernel/mm/transparent_hugepage/defrag", KernelText.Choice)),
            Row.Must("transparent huge pages", "hugePages.enabled", "madvise", Penalty.Refuse,
                "the lab measures with madvise: echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"),
            Row.Record("huge page defragmentation", "hugePages.defrag")),

        // Memory nodes: with more than one, how far memory is away is drawn anew at each launch.
        new(15, ["numa"],
            Row.Fact("numa.nodes", scan => scan.Fact("/sys/devices/system/node/online", KernelText.SomeCpus)),
            Row.Fact("numa.balancing", scan => scan.Whole("/proc/sys/kernel/numa_balancing")),
            Row.Fact("numa.memory", scan => scan.Cpus(
                $"{scan.Cgroup.Own("cpuset")}/{(scan.Cgroup.Version == "v1" ? "cpuset.effective_mems" : "cpuset.mems.effective")}")),
            Row.Must("memory nodes", facts => facts.Cpus("numa.nodes") is { Count: > 0 } nodes
                ? Invariant($"{nodes.Count} ({facts.Text("numa.nodes")})") : facts.Text("numa.nodes"), IsOneNode, Penalty.Warn,
                "give workloads the cores and the memory of one node (LAB_CPUS takes the others), or a launch is fast or slow by luck"),
            Row.Must("memory node balancing", facts => facts.Switch("numa.balancing"),
                facts => facts.Text("numa.balancing") is "0" || IsOneNode(facts), Penalty.Warn,
                "the kernel moves pages about while values are taken: sudo sysctl kernel.numa_balancing=0")),

        // Swap is off. What moved during a round is the watch's (HygieneWatch).
        new(16, ["swapKiB"],
            Row.Fact("swapKiB", scan => scan.Fact("/proc/swaps", text => KernelText.SwapKibibytes(text))),
            Row.Must("swap", facts => facts.Number("swapKiB") <= 0 ? "off" : facts.Format("swapKiB", "0", " MiB", 1.0 / 1024), "off", Penalty.Refuse,
                "a launch that swaps measures the disk; switch it off: sudo swapoff -a")),

        // How much work waited in the last minute (the kernel's pressure stall information). Before a session it is a hint; what happens during
        // a round is judged by the watch.
        new(21, [],
            Row.Fact("pressure.cpu", scan => scan.Fact("/proc/pressure/cpu", Pressure)),
            Row.Fact("pressure.memory", scan => scan.Fact("/proc/pressure/memory", Pressure)),
            Row.Fact("pressure.io", scan => scan.Fact("/proc/pressure/io", Pressure)),
            Row.Record("pressure, last minute", facts => $"cpu {Percent(facts, "cpu")}, memory {Percent(facts, "memory")}, io {Percent(facts, "io")}")),

        // Programs that the kernel killed for want of memory. A launch of ours that is killed is its cell's own outcome.
        new(24, [],
            Row.Fact("memoryKills", scan => scan.Fact("/proc/vmstat", text => KernelText.Counter(text, "oom_kill"))),
            Row.Record("kills for want of memory since boot", "memoryKills")),
    ];

    private static bool IsOneNode(FactReader facts) => facts.Cpus("numa.nodes") is { Count: 1 };

    private static object? Pressure(string text) => KernelText.Pressure(text, "some")?.LastMinute;

    private static string Percent(FactReader facts, string of) =>
        facts.Text($"pressure.{of}") is var value && value is MachineFiles.Absent or MachineFiles.Unknown ? value : value + " %";
}
