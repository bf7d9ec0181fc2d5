namespace PerfLab.Machine.Facts;

/// <summary>How often a quota of processor time stopped this process, anything above it, or the lab's workloads (`nr_throttled` of cpu.stat).</summary>
internal static class QuotaStops
{
    // Where workloads run: below the slice that docker's daemon.json of a lab names (systemd nests it), or in a group of our own.
    private static readonly string[] Workloads = ["/perf.slice/perf-lab.slice/perf-lab-workload.slice", "/perf-lab", "/docker"];

    public static IReadOnlyList<string> Find(MachineFiles files)
    {
        var cgroup = new CgroupFiles(files);
        return cgroup.Version is MachineFiles.Absent ? [] :
        [
            .. cgroup.Upwards("cpu").Concat(Workloads.Select(group => cgroup.Tree("cpu") + group)).Select(group => group + "/cpu.stat")
                .Where(file => KernelText.Counter(files.Text(file), "nr_throttled") is not null).Distinct(StringComparer.Ordinal),
        ];
    }

    /// <summary>Null when there is none to be read.</summary>
    public static long? Sum(MachineFiles files, IReadOnlyList<string> found) => found.Count == 0 ? null
        : found.Sum(file => KernelText.Counter(files.Text(file), "nr_throttled") ?? 0);
}
