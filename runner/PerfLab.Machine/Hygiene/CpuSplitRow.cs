using PerfLab.Core.Model;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>Cores for workloads, and cores for everything else, with nobody on both.</summary>
internal static class CpuSplitRow
{
    // Of systemd's nested slices only the outermost is at the top: perf-lab-workload.slice lies in perf.slice.
    private static readonly string[] Workloads = ["perf.slice", "perf-lab-workload.slice", "perf-lab", "docker"];

    public static HygieneRow Entry { get; } = new(10, ["split.lab", "split.isolated", "split.nohzFull"],
        Row.Fact("split.lab", scan => scan.Lab.Cpus is { } lab ? CpuList.Format(lab) : MachineFiles.Absent),
        Row.Fact("split.workload", scan => scan.WorkloadCpus is { } workload ? CpuList.Format(workload) : MachineFiles.Absent),
        Row.Fact("split.isolated", scan => scan.Cpus("/sys/devices/system/cpu/isolated")),
        // A kernel that was not told any writes its null pointer.
        Row.Fact("split.nohzFull", scan => scan.Fact("/sys/devices/system/cpu/nohz_full",
            text => CpuList.TryParse(text.Replace("(null)", ""), out var cpus) ? CpuList.Format(cpus) : null)),
        Row.Fact("split.own", scan => scan.Cpus($"{scan.Cgroup.Own("cpuset")}/{Effective(scan.Cgroup)}")),
        Row.Fact("split.partition", scan => scan.Line($"{scan.Cgroup.Own("cpuset")}/cpuset.cpus.partition")),
        Row.Fact("split.controller", Controller),
        Row.Fact("split.intruders", Intruders),
        new HygieneLine(Cores),
        Row.Must("cpuset controller", "split.controller", "yes", Penalty.Refuse,
            "workloads can't be pinned: delegate cpuset to this user (systemd: Delegate=cpuset), or run as root on the machine itself"),
        Row.Must("isolcpus", facts => OrNone(facts, "split.isolated"), "none", Penalty.Warn,
            "the scheduler does not balance there: all threads of a workload may sit on one core; take isolcpus= off the kernel command line, cpusets do it"),
        Row.Record("nohz_full", facts => OrNone(facts, "split.nohzFull")));

    private static HygieneFinding Cores(int row, FactReader facts, HygienePolicy policy)
    {
        const string Name = "cores for workloads";
        var (lab, workload, intruders) = (facts.Text("split.lab"), facts.Text("split.workload"), facts.Text("split.intruders"));
        return lab is MachineFiles.Absent or MachineFiles.Unknown
            // On a laptop nobody splits: that is what makes it one.
            ? !policy.IsLab() ? new(row, Name, "not split")
                : new(row, Name, "not split", HygieneSeverity.Refuse,
                    $"the lab's own programs may run on every core: install the machine content (infra/machine/install.sh), which writes LAB_CPUS into {LabMachine.File}")
            : Row.Judge(new(row, Name, $"{workload}, lab {lab}"), intruders is "none" or MachineFiles.Absent && workload.Length > 0, (Penalty.Refuse,
                workload.Length == 0 ? $"LAB_CPUS in {LabMachine.File} leaves no core to workloads"
                : $"{intruders} may run on them too: sudo systemctl set-property --runtime <unit> AllowedCPUs={lab}", policy));
    }

    private static string OrNone(FactReader facts, string path) => facts.Text(path) is { Length: > 0 } list ? list : "none";

    private static string Effective(CgroupFiles cgroup) => cgroup.Version == "v1" ? "cpuset.effective_cpus" : "cpuset.cpus.effective";

    private static JsonNode Controller(MachineScan scan) => scan.Cgroup.Version switch
    {
        "v2" => scan.Files.Text("/sys/fs/cgroup/cgroup.controllers") is { } text
            ? text.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries).Contains("cpuset") ? "yes" : "no"
            : MachineFiles.Unknown,
        "v1" => scan.Files.Exists("/sys/fs/cgroup/cpuset") ? "yes" : "no",
        _ => MachineFiles.Absent,
    };

    /// <summary>Groups of other programs that may use the workloads' cores.</summary>
    private static JsonNode Intruders(MachineScan scan) => scan.WorkloadCpus is not { } workload
        ? MachineFiles.Absent
        : MachineScan.List(scan.Cgroup.TopGroups("cpuset").Except(Workloads, StringComparer.Ordinal)
            .Where(group => CpuList.TryParse(scan.Files.Text($"{scan.Cgroup.Tree("cpuset")}/{group}/{Effective(scan.Cgroup)}") ?? "", out var cpus)
                && cpus.Intersect(workload).Any()).Take(16));
}
