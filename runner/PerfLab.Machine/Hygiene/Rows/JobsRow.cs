using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Jobs that start by themselves: package updates, disk trimming, indexing.</summary>
internal sealed class JobsRow() : HygieneRow(29)
{
    /// <summary>Timers that a machine of the lab has masked (infra/machine/install.sh; a test holds both lists against each other).</summary>
    public static IReadOnlyList<string> Timers { get; } =
    [
        "apt-daily.timer", "apt-daily-upgrade.timer", "unattended-upgrades.service", "fstrim.timer", "man-db.timer", "motd-news.timer",
        "e2scrub_all.timer", "logrotate.timer", "irqbalance.service",
    ];

    // As the kernel cuts names: 15 characters.
    private static readonly string[] PackageJobs =
        ["apt", "apt-get", "aptitude", "dpkg", "dnf", "yum", "rpm", "zypper", "unattended-upgr", "packagekitd", "fstrim", "mandb", "updatedb", "e2scrub", "snapd"];

    public override void Read(MachineScan scan, JsonObject facts) => facts["jobs"] = new JsonObject
    {
        ["running"] = List(scan.Programs.Intersect(PackageJobs, StringComparer.Ordinal)),
        ["timers"] = scan.Files.Exists("/usr/lib/systemd/system") || scan.Files.Exists("/lib/systemd/system") ? List(Timers.Where(timer => IsOn(scan.Files, timer))) : MachineFiles.Absent,
    };

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var running = facts.Text("jobs.running");
        yield return Judged("package and disk jobs at work", running, running is "none", (Penalty.Refuse, "they take processor time and disk for minutes: wait until they are done, or stop them", policy));
        var timers = facts.Text("jobs.timers");
        yield return Judged("timers that start such jobs", timers, timers is "none", (Penalty.Warn, "one may start in the middle of a round: sudo systemctl mask --now <timer>", policy));
    }

    private static bool IsOn(MachineFiles files, string unit) =>
        (files.Exists("/usr/lib/systemd/system/" + unit) || files.Exists("/lib/systemd/system/" + unit))
        && files.LinkTarget("/etc/systemd/system/" + unit) is not "/dev/null";

    private static string List(IEnumerable<string> names) => string.Join(", ", names) is { Length: > 0 } list ? list : "none";
}
