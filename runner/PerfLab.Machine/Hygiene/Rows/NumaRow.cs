using PerfLab.Core.Model;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Memory nodes: with more than one, how far memory is away is drawn anew at each launch.</summary>
internal sealed class NumaRow() : HygieneRow(15)
{
    public override IReadOnlyList<string> Constant => ["numa"];

    public override void Read(MachineScan scan, JsonObject facts)
    {
        var cgroup = new CgroupFiles(scan.Files);
        facts["numa"] = new JsonObject
        {
            ["nodes"] = scan.Fact("/sys/devices/system/node/online", text => CpuList.TryParse(text, out var nodes) && nodes.Count > 0 ? CpuList.Format(nodes) : null),
            ["balancing"] = scan.Whole("/proc/sys/kernel/numa_balancing"),
            ["memory"] = scan.Cpus($"{cgroup.Own("cpuset")}/{(cgroup.Version == "v1" ? "cpuset.effective_mems" : "cpuset.mems.effective")}"),
        };
    }

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var nodes = facts.Text("numa.nodes");
        var known = facts.Cpus("numa.nodes");
        var single = known is { Count: 1 };
        yield return Judged("memory nodes", known is { Count: > 0 } ? string.Create(CultureInfo.InvariantCulture, $"{known.Count} ({nodes})") : nodes, single, (Penalty.Warn,
            "give workloads the cores and the memory of one node (LAB_CPUS takes the others), or a launch is fast or slow by luck", policy));
        var balancing = facts.Text("numa.balancing");
        yield return Judged("memory node balancing", balancing switch { "0" => "off", "1" => "on", var other => other }, balancing is "0" || single, (Penalty.Warn,
            "the kernel moves pages about while values are taken: sudo sysctl kernel.numa_balancing=0", policy));
    }
}
