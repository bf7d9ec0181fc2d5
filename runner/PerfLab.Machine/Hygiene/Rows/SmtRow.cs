using PerfLab.Core.Model;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Two threads on one core ("hyper-threading"): each takes what the other leaves.</summary>
internal sealed class SmtRow() : HygieneRow(9)
{
    public override IReadOnlyList<string> Constant => ["smt.active", "smt.siblings"];

    public override void Read(MachineScan scan, JsonObject facts) => facts["smt"] = new JsonObject
    {
        ["active"] = scan.Whole("/sys/devices/system/cpu/smt/active"),
        ["control"] = scan.Line("/sys/devices/system/cpu/smt/control"),
        ["siblings"] = scan.PerCpu("topology/thread_siblings_list", text => CpuList.TryParse(text, out var cpus) && cpus.Count > 0 ? CpuList.Format(cpus) : null),
        ["sharedWithLab"] = SharedWithLab(scan),
    };

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var active = facts.Text("smt.active") switch { "1" => "on", "0" => "off", var other => other };
        yield return Judged("SMT", active, active is "off", (Penalty.RefuseOnMetal, "two threads share a core: echo off | sudo tee /sys/devices/system/cpu/smt/control", policy));
        var shared = facts.Text("smt.sharedWithLab");
        yield return Judged("cores that workloads share with the lab", shared, shared is "none", (Penalty.Refuse,
            $"one thread of a core for the lab and the other for workloads: give whole cores in LAB_CPUS of {LabMachine.File}", policy));
    }

    private static string SharedWithLab(MachineScan scan)
    {
        if (scan.WorkloadCpus is not { } workload)
        {
            return MachineFiles.Absent;
        }

        var lab = scan.Lab.Cpus!.ToHashSet();
        var shared = workload.Where(cpu =>
            CpuList.TryParse(scan.Files.Text($"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list") ?? "", out var siblings) && siblings.Any(lab.Contains));
        return CpuList.Format([.. shared]) is { Length: > 0 } list ? list : "none";
    }
}
