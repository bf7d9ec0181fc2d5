using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>No quota of processor time above us: it stops all threads for the rest of each period once it is used up.</summary>
internal sealed class QuotaRow() : HygieneRow(22)
{
    public override IReadOnlyList<string> Constant => ["quota"];

    public override void Read(MachineScan scan, JsonObject facts)
    {
        var cgroup = new CgroupFiles(scan.Files);
        var limits = cgroup.Version is MachineFiles.Absent ? [] : cgroup.Upwards("cpu")
            .Select(group => cgroup.Version == "v1" ? scan.Files.Text(group + "/cpu.cfs_quota_us")?.Trim() : scan.Files.Text(group + "/cpu.max")?.Trim().Split(' ')[0])
            .OfType<string>().ToList();
        facts["quota"] = limits.Count == 0 ? MachineFiles.Absent
            : limits.TrueForAll(limit => limit is "max" or "-1") ? "none"
            : limits.Any(limit => KernelText.Whole(limit) is > 0) ? "set" : MachineFiles.Unknown;
    }

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var quota = facts.Text("quota");
        yield return Judged("quota of processor time", quota, quota is "none", (Penalty.Refuse,
            "threads are stopped when the quota of a period is used up: start the lab without --cpus or CPUQuota=; pin cores instead (--cpuset-cpus)", policy));
    }
}
