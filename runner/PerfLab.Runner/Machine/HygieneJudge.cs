using System.Globalization;

namespace PerfLab.Runner.Machine;

/// <summary>The rows of the hygiene table, one method each.</summary>
internal sealed class HygieneJudge(FactReader facts, HygienePolicy policy)
{
    private static readonly Version SeccompWithoutPenalty = new(5, 16);

    private HygieneSeverity Refusal => policy == HygienePolicy.Any ? HygieneSeverity.Warn : HygieneSeverity.Refuse;

    public HygieneFinding Recorded(int row, string name, string path) => new(row, name, facts.Text(path), HygieneSeverity.Record);

    public HygieneFinding BootId() => Of(2, "boot id", facts.Text("bootId"), facts.Text("bootId") is not (MachineFiles.Absent or MachineFiles.Unknown),
        "a restart in the middle of a session can't be seen; run where /proc/sys/kernel/random/boot_id can be read (Linux)");

    // Before 5.16 a default seccomp filter switched speculation mitigations on and made interpreters 1.5 to 2 times slower.
    public HygieneFinding Kernel()
    {
        var version = KernelVersion(facts.Text("kernel"));
        return Of(4, "kernel", facts.Text("kernel"), version is null || version >= SeccompWithoutPenalty || facts.Text("executor.executor") is not "docker",
            "containers are slowed by seccomp before Linux 5.16; use a newer kernel");
    }

    public HygieneFinding Swap()
    {
        var swap = facts.Number("swapKiB");
        var value = swap is { } size ? size > 0 ? Number(size / 1024, "0") + " MiB" : "off" : facts.Text("swapKiB");
        return Of(16, "swap", value, swap is not > 0, "a launch that swaps measures the disk; switch it off: sudo swapoff -a");
    }

    public HygieneFinding ClockSource()
    {
        var source = facts.Text("clockSource");
        var good = source is "tsc" || (policy != HygienePolicy.Metal && source is "hyperv_clocksource_tsc_page");
        return Of(18, "clock source", source, good,
            "reading the clock costs a trap into the kernel or the hypervisor; boot with clocksource=tsc if the CPU has an invariant TSC");
    }

    public HygieneFinding Steal()
    {
        var steal = facts.Number("stealShare");
        var value = steal is { } share ? Number(share * 100, "0.###") + " % since boot" : facts.Text("stealShare");
        var most = policy == HygienePolicy.Metal ? 0 : HygieneWatch.MostSteal;
        return new HygieneFinding(20, "steal", value, Severity(steal is null || steal <= most, HygieneSeverity.Warn),
            steal > most ? "other virtual machines take this one's processor time; use a dedicated size or another host" : null);
    }

    public HygieneFinding Load()
    {
        var load = facts.Number("load");
        var value = load is { } mean ? $"{Number(mean, "0.00")} on {facts.Cores} {(facts.Cores == 1 ? "core" : "cores")}" : facts.Text("load");
        return Of(28, "other load", value, load is not { } busy || busy / facts.Cores <= Hygiene.MostLoad,
            "something else was at work in the last minute; see `top`, stop it, wait a minute");
    }

    public HygieneFinding Disk()
    {
        var (free, total) = (facts.Number("disk.freeBytes"), facts.Number("disk.totalBytes"));
        if (free is null || total is not > 0)
        {
            return new HygieneFinding(30, "disk", MachineFiles.Unknown, HygieneSeverity.Record);
        }

        var share = free.Value / total.Value;
        return Of(30, "disk", $"{Number(free.Value / (1 << 30), "0.0")} GiB free ({Number(share * 100, "0")} %)", share >= DiskSpace.LeastFreeShare,
            "a full disk loses the session; free some (./perf-lab clean removes what the lab made) or write elsewhere with --out");
    }

    public HygieneFinding Cgroup() => Of(31, "cgroup version", facts.Text("cgroup"), facts.Text("cgroup") is "v2",
        "limits and pressure are read from cgroup v2; boot with systemd.unified_cgroup_hierarchy=1");

    private HygieneFinding Of(int row, string name, string value, bool good, string fix) =>
        new(row, name, value, Severity(good, Refusal), good ? null : fix);

    private static HygieneSeverity Severity(bool good, HygieneSeverity otherwise) => good ? HygieneSeverity.Ok : otherwise;

    /// <summary>"Linux version 6.8.0-41-generic (…" gives 6.8; null for other texts.</summary>
    private static Version? KernelVersion(string text)
    {
        var words = text.Split(' ');
        var number = words is ["Linux", "version", var release, ..] ? release.Split('-', '+')[0].Split('.') : [];
        return number is [var major, var minor, ..]
            && int.TryParse(major, NumberStyles.None, CultureInfo.InvariantCulture, out var first)
            && int.TryParse(minor, NumberStyles.None, CultureInfo.InvariantCulture, out var second)
            ? new Version(first, second)
            : null;
    }

    private static string Number(double value, string format) => value.ToString(format, CultureInfo.InvariantCulture);
}
