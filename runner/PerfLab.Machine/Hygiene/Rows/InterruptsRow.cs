using PerfLab.Core.Model;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Devices interrupt the lab's cores, not the workloads'.</summary>
internal sealed class InterruptsRow() : HygieneRow(12)
{
    private const int MostInterrupts = 4096;

    public override void Read(MachineScan scan, JsonObject facts) => facts["interrupts"] = new JsonObject
    {
        ["onWorkloadCpus"] = scan.WorkloadCpus is { } workload ? Reaching(scan, workload) : JsonValue.Create(MachineFiles.Absent),
        ["balancer"] = scan.Programs.Contains("irqbalance", StringComparer.Ordinal) ? "irqbalance" : "none",
    };

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var count = facts.Text("interrupts.onWorkloadCpus");
        yield return Judged("interrupts that reach the workloads' cores", count, count is "0", (Penalty.Warn,
            "point them at the lab's cores: sudo /usr/local/lib/perf-lab/quiet does it (some of a device's queues refuse: then fewer queues, ethtool -L)", policy));
        var balancer = facts.Text("interrupts.balancer");
        yield return Judged("interrupt balancer", balancer, balancer is "none", (Penalty.Warn,
            "it moves interrupts about while values are taken: sudo systemctl disable --now irqbalance", policy));
    }

    private static JsonNode Reaching(MachineScan scan, IReadOnlyList<int> workload)
    {
        var all = scan.Files.Names("/proc/irq").Where(name => name.AsSpan().IndexOfAnyExceptInRange('0', '9') < 0).Take(MostInterrupts)
            .Select(irq => CpuList.TryParse(scan.Files.Text($"/proc/irq/{irq}/smp_affinity_list") ?? "", out var cpus) && cpus.Count > 0 ? cpus : null).ToList();
        return all.Count == 0 ? JsonValue.Create(MachineFiles.Absent)!
            : all.TrueForAll(cpus => cpus is null) ? JsonValue.Create(MachineFiles.Unknown)!
            : JsonValue.Create((long)all.Count(cpus => cpus?.Intersect(workload).Any() == true));
    }
}
