using PerfLab.Core.Model;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>What else runs on the machine, and takes cores and time from workloads.</summary>
internal static class OtherWorkRows
{
    /// <summary>Share of the workloads' cores that others may take.</summary>
    public const double MostLoad = 0.05;

    /// <summary>What passes by itself when one waits.</summary>
    public static bool Passes(HygieneFinding finding) => finding is { Severity: >= HygieneSeverity.Warn, Name: OtherLoad or JobsAtWork };

    private const string OtherLoad = "other load, just before", JobsAtWork = "package and disk jobs at work";
    private const int MostInterrupts = 4096;
    private const string Busy = "something else is at work; see `top`, stop it, wait a minute";

    /// <summary>Timers that a machine of the lab has masked (infra/machine/install.sh; a test holds both lists against each other).</summary>
    public static IReadOnlyList<string> Timers { get; } =
    [
        "apt-daily.timer", "apt-daily-upgrade.timer", "unattended-upgrades.service", "fstrim.timer", "man-db.timer", "motd-news.timer",
        "e2scrub_all.timer", "logrotate.timer", "irqbalance.service",
    ];

    // As the kernel cuts names: 15 characters.
    private static readonly string[] PackageJobs =
        ["apt", "apt-get", "aptitude", "dpkg", "dnf", "yum", "rpm", "zypper", "unattended-upgr", "packagekitd", "fstrim", "mandb", "updatedb", "e2scrub", "snapd"];

    public static HygieneRow[] All { get; } =
    [
        // Devices interrupt the lab's cores, not the workloads'.
        new(12, [],
            Row.Fact("interrupts.onWorkloadCpus", Reaching),
            Row.Fact("interrupts.balancer", scan => scan.Programs.Contains("irqbalance", StringComparer.Ordinal) ? "irqbalance" : "none"),
            Row.Must("interrupts that reach the workloads' cores", "interrupts.onWorkloadCpus", "0", Penalty.Warn,
                "point them at the lab's cores: sudo /usr/local/lib/perf-lab/quiet does it (some of a device's queues refuse: then fewer queues, ethtool -L)"),
            Row.Must("interrupt balancer", "interrupts.balancer", "none", Penalty.Warn,
                "it moves interrupts about while values are taken: sudo systemctl disable --now irqbalance")),

        // No quota of processor time above us: it stops all threads for the rest of each period once it is used up.
        new(22, ["quota"],
            Row.Fact("quota", Quota),
            Row.Must("quota of processor time", "quota", "none", Penalty.Refuse,
                "threads are stopped when the quota of a period is used up: start the lab without --cpus or CPUQuota=; pin cores instead (--cpuset-cpus)")),

        // What else is at work. The busy share is watched for half a second just before; the load average of the last minute still holds what the
        // lab itself built, so it only judges where nobody watched.
        new(28, [],
            Row.Fact("load", scan => scan.Fact("/proc/loadavg", text => KernelText.Load(text))),
            Row.Fact("users", scan => scan.Files.Exists("/run/systemd/sessions")
                ? scan.Files.Names("/run/systemd/sessions").Count(name => !name.EndsWith(".ref", StringComparison.Ordinal)) : MachineFiles.Absent),
            Row.Must(OtherLoad, facts => facts.Format("busyShare", "0.0", " % of the cores for workloads", 100),
                facts => !(facts.Number("busyShare") > MostLoad), Penalty.Refuse.AlsoHosted, Busy)
                .When((facts, _) => facts.Has("busyShare")),
            Row.Record("load average, last minute", Load).When((facts, _) => facts.Has("busyShare")),
            Row.Must("other load", Load, facts => !(facts.Number("load") / facts.Cores > MostLoad), Penalty.Refuse.AlsoHosted, Busy)
                .When((facts, _) => !facts.Has("busyShare")),
            Row.Record("people logged in", "users")),

        // Jobs that start by themselves: package updates, disk trimming, indexing.
        new(29, [],
            Row.Fact("jobs.running", scan => MachineScan.List(scan.Programs.Intersect(PackageJobs, StringComparer.Ordinal))),
            Row.Fact("jobs.timers", scan => scan.Files.Exists("/usr/lib/systemd/system") || scan.Files.Exists("/lib/systemd/system")
                ? MachineScan.List(Timers.Where(timer => IsOn(scan.Files, timer))) : MachineFiles.Absent),
            Row.Must(JobsAtWork, "jobs.running", "none", Penalty.Refuse,
                "they take processor time and disk for minutes: wait until they are done, or stop them"),
            Row.Must("timers that start such jobs", "jobs.timers", "none", Penalty.Warn,
                "one may start in the middle of a round: sudo systemctl mask --now <timer>")),
    ];

    private static JsonNode Reaching(MachineScan scan)
    {
        if (scan.WorkloadCpus is not { } workload)
        {
            return MachineFiles.Absent;
        }

        var all = scan.Files.Names("/proc/irq").Where(name => name.AsSpan().IndexOfAnyExceptInRange('0', '9') < 0).Take(MostInterrupts)
            .Select(irq => CpuList.TryParse(scan.Files.Text($"/proc/irq/{irq}/smp_affinity_list") ?? "", out var cpus) && cpus.Count > 0 ? cpus : null).ToList();
        return all.Count == 0 ? MachineFiles.Absent
            : all.TrueForAll(cpus => cpus is null) ? MachineFiles.Unknown
            : all.Count(cpus => cpus?.Intersect(workload).Any() == true);
    }

    private static JsonNode Quota(MachineScan scan)
    {
        var cgroup = scan.Cgroup;
        var limits = cgroup.Version is MachineFiles.Absent ? [] : cgroup.Upwards("cpu")
            .Select(group => cgroup.Version == "v1" ? scan.Files.Text(group + "/cpu.cfs_quota_us")?.Trim() : scan.Files.Text(group + "/cpu.max")?.Trim().Split(' ')[0])
            .OfType<string>().ToList();
        return limits.Count == 0 ? MachineFiles.Absent
            : limits.TrueForAll(limit => limit is "max" or "-1") ? "none"
            : limits.Any(limit => KernelText.Whole(limit) is > 0) ? "set" : MachineFiles.Unknown;
    }

    private static string Load(FactReader facts) => facts.Format("load", "0.00", $" on {facts.Cores} {(facts.Cores == 1 ? "core" : "cores")}");

    private static bool IsOn(MachineFiles files, string unit) =>
        (files.Exists("/usr/lib/systemd/system/" + unit) || files.Exists("/lib/systemd/system/" + unit))
        && files.LinkTarget("/etc/systemd/system/" + unit) is not "/dev/null";
}
