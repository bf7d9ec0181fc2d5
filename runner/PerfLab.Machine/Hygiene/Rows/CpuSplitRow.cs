using PerfLab.Core.Model;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Cores for workloads, and cores for everything else, with nobody on both.</summary>
internal sealed class CpuSplitRow() : HygieneRow(10)
{
    // Of systemd's nested slices only the outermost is at the top: perf-lab-workload.slice lies in perf.slice.
    private static readonly string[] Workloads = ["perf.slice", "perf-lab-workload.slice", "perf-lab", "docker"];

    public override IReadOnlyList<string> Constant => ["split.lab", "split.isolated", "split.nohzFull"];

    public override void Read(MachineScan scan, JsonObject facts)
    {
        var cgroup = new CgroupFiles(scan.Files);
        facts["split"] = new JsonObject
        {
            ["lab"] = scan.Lab.Cpus is { } lab ? CpuList.Format(lab) : MachineFiles.Absent,
            ["workload"] = scan.WorkloadCpus is { } workload ? CpuList.Format(workload) : MachineFiles.Absent,
            ["isolated"] = scan.Cpus("/sys/devices/system/cpu/isolated"),
            // A kernel that was not told any writes its null pointer.
            ["nohzFull"] = scan.Fact("/sys/devices/system/cpu/nohz_full", text => CpuList.TryParse(text.Replace("(null)", "", StringComparison.Ordinal), out var cpus) ? CpuList.Format(cpus) : null),
            ["own"] = scan.Cpus($"{cgroup.Own("cpuset")}/{Effective(cgroup)}"),
            ["partition"] = scan.Line($"{cgroup.Own("cpuset")}/cpuset.cpus.partition"),
            ["controller"] = Controller(scan, cgroup),
            ["intruders"] = Intruders(scan, cgroup),
        };
    }

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var (lab, workload, intruders) = (facts.Text("split.lab"), facts.Text("split.workload"), facts.Text("split.intruders"));
        yield return lab is MachineFiles.Absent or MachineFiles.Unknown
            // On a laptop nobody splits: that is what makes it one.
            ? policy == HygienePolicy.Any ? Recorded("cores for workloads", "not split")
                : new(Number, "cores for workloads", "not split", Penalty.Refuse.Under(policy),
                    $"the lab's own programs may run on every core: install the machine content (infra/machine/install.sh), which writes LAB_CPUS into {LabMachine.File}")
            : Judged("cores for workloads", $"{workload}, lab {lab}", intruders is "none" or MachineFiles.Absent && workload.Length > 0, (Penalty.Refuse,
                workload.Length == 0 ? $"LAB_CPUS in {LabMachine.File} leaves no core to workloads"
                : $"{intruders} may run on them too: sudo systemctl set-property --runtime <unit> AllowedCPUs={lab}", policy));
        yield return Judged("cpuset controller", facts.Text("split.controller"), facts.Text("split.controller") is "yes", (Penalty.Refuse,
            "workloads can't be pinned: delegate cpuset to this user (systemd: Delegate=cpuset), or run as root on the machine itself", policy));
        var isolated = facts.Text("split.isolated");
        yield return Judged("isolcpus", isolated.Length == 0 ? "none" : isolated, isolated.Length == 0, (Penalty.Warn,
            "the scheduler does not balance there: all threads of a workload may sit on one core; take isolcpus= off the kernel command line, cpusets do it", policy));
        yield return Recorded("nohz_full", facts.Text("split.nohzFull") is { Length: > 0 } list ? list : "none");
    }

    private static string Effective(CgroupFiles cgroup) => cgroup.Version == "v1" ? "cpuset.effective_cpus" : "cpuset.cpus.effective";

    private static string Controller(MachineScan scan, CgroupFiles cgroup) => cgroup.Version switch
    {
        "v2" => scan.Files.Text("/sys/fs/cgroup/cgroup.controllers") is { } text
            ? text.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries).Contains("cpuset", StringComparer.Ordinal) ? "yes" : "no"
            : MachineFiles.Unknown,
        "v1" => scan.Files.Exists("/sys/fs/cgroup/cpuset") ? "yes" : "no",
        _ => MachineFiles.Absent,
    };

    /// <summary>Groups of other programs that may use the workloads' cores.</summary>
    private static string Intruders(MachineScan scan, CgroupFiles cgroup)
    {
        if (scan.WorkloadCpus is not { } workload)
        {
            return MachineFiles.Absent;
        }

        var others = cgroup.TopGroups("cpuset").Except(Workloads, StringComparer.Ordinal)
            .Where(group => CpuList.TryParse(scan.Files.Text($"{cgroup.Tree("cpuset")}/{group}/{Effective(cgroup)}") ?? "", out var cpus) && cpus.Intersect(workload).Any());
        return string.Join(", ", others.Take(16)) is { Length: > 0 } list ? list : "none";
    }
}
