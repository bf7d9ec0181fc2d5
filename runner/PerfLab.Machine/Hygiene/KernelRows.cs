using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>The kernel: which it is, what it does for safety, what it reports.</summary>
internal static class KernelRows
{
    private const string Mitigations = "/sys/devices/system/cpu/vulnerabilities";
    private const int MostMitigations = 100;
    private const string StoreBypass = "mitigations.spec_store_bypass", OwnStoreBypass = "speculation.storeBypass";
    private const string NoSpeculation = "speculation is switched off for whatever runs behind a seccomp filter, which slows CPU-bound code 1.5 to 2 times: "
        + "use Linux 5.16 or later, or boot with spec_store_bypass_disable=prctl spectre_v2_user=prctl";

    private static readonly Version SeccompWithoutPenalty = new(5, 16);

    public static HygieneRow[] All { get; } =
    [
        // Base and head are never compared across a restart.
        new(2, ["bootId"],
            Row.Fact("bootId", scan => scan.Fact("/proc/sys/kernel/random/boot_id", KernelText.BootId)),
            Row.MustBeKnown("boot id", "bootId", (id, _) => id is not (MachineFiles.Absent or MachineFiles.Unknown), Penalty.Refuse,
                "a restart in the middle of a session can't be seen; run where /proc/sys/kernel/random/boot_id can be read (Linux)")),

        new(4, ["kernel", "commandLine"],
            Row.Fact("kernel", scan => scan.Line("/proc/version")),
            Row.Fact("commandLine", scan => scan.Line("/proc/cmdline")),
            Row.Fact("pinnedKernel", scan => scan.Lab.Kernel ?? MachineFiles.Absent),
            new HygieneLine(Pinned),
            // Before 5.16 a default seccomp filter switched speculation mitigations on and made interpreters 1.5 to 2 times slower.
            Row.Must("kernel", facts => facts.Text("kernel"),
                facts => Version(Release(facts)) is not { } version || version >= SeccompWithoutPenalty || facts.Text("executor.executor") is "process",
                Penalty.Refuse, "containers are slowed by seccomp before Linux 5.16; use a newer kernel"),
            Row.Record("kernel command line", "commandLine")),

        // What the kernel does against faults of the processor: some of it costs tens of percent.
        new(5, ["mitigations"],
            Row.Fact("mitigations", scan => scan.Files.Names(Mitigations) is { Count: > 0 } names
                ? new JsonObject(names.Take(MostMitigations).Select(name => KeyValuePair.Create(name, (JsonNode?)scan.Line($"{Mitigations}/{name}"))))
                : scan.Files.Exists(Mitigations) ? MachineFiles.Unknown : MachineFiles.Absent),
            Row.Record("mitigations", Mitigated)),

        // Speculation as a workload gets it: before Linux 5.16 every process behind a seccomp filter lost it ("force mitigated"). Seen from the
        // mitigation's own text here; inside the container by InnerStatus.
        new(6, [],
            Row.Fact("speculation", scan => InnerStatus.Read(scan.Files.Text("/proc/self/status"))),
            Row.Must("speculation behind seccomp",
                facts => InWords(facts.Text(StoreBypass), IsLeftBySeccomp(facts) ? "as without it" : "switched off"),
                IsLeftBySeccomp, Penalty.Refuse, NoSpeculation),
            Row.Must("speculation of this process",
                facts => InWords(facts.Text(OwnStoreBypass), IsLeftHere(facts) ? "not forced off" : "forced off"),
                IsLeftHere, Penalty.Refuse, NoSpeculation)),

        // Address space layout randomisation stays on. Others switch it off for precision; but one fixed layout is a bias that no number of
        // launches takes away, and many launches average over layouts (pyperf, https://pyperf.readthedocs.io/en/latest/system.html, says the same).
        new(13, ["addressSpace"],
            Row.Fact("addressSpace", scan => scan.Whole("/proc/sys/kernel/randomize_va_space")),
            Row.Must("address space randomisation", "addressSpace", "2", Penalty.Refuse,
                "one fixed layout favours base or head for good: sudo sysctl kernel.randomize_va_space=2")),

        // The kernel's own sampling: a watchdog that interrupts every core, and how often a profiler may.
        new(17, ["watchdog.nmi"],
            Row.Fact("watchdog.nmi", scan => scan.Whole("/proc/sys/kernel/nmi_watchdog")),
            Row.Fact("watchdog.perfSampleRate", scan => scan.Whole("/proc/sys/kernel/perf_event_max_sample_rate")),
            Row.Must("NMI watchdog", facts => facts.Switch("watchdog.nmi"), "off", Penalty.Warn,
                "it interrupts every core and holds one of its counters: sudo sysctl kernel.nmi_watchdog=0"),
            Row.Record("most perf samples a second", "watchdog.perfSampleRate")),

        // The kernel reports broken memory, heat and a failing disk in its messages and nowhere else.
        new(27, [],
            Row.Fact("kernelMessages", Messages),
            Row.Must("kernel messages", AreReadable, "readable", Penalty.Warn,
                "memory faults and throttling go unseen: run as root, or sudo sysctl kernel.dmesg_restrict=0")
                .When((facts, policy) => policy.IsLab() || facts.Text("kernelMessages") is not MachineFiles.Unknown),
            Row.Record("kernel messages", AreReadable)
                .When((facts, policy) => !policy.IsLab() && facts.Text("kernelMessages") is MachineFiles.Unknown)),
    ];

    private static HygieneFinding? Pinned(int row, FactReader facts, HygienePolicy policy) =>
        facts.Text("pinnedKernel") is var pinned and not (MachineFiles.Absent or MachineFiles.Unknown) && Release(facts) is var release
            ? Row.Judge(new(row, "pinned kernel", release ?? MachineFiles.Unknown), release == pinned, (Penalty.Refuse,
                $"this machine's figures are taken with {pinned} (KERNEL in {LabMachine.File}): boot that one, or pin the new one and begin a new series", policy))
            : null;

    /// <summary>"Linux version 6.8.0-41-generic (…" gives 6.8.0-41-generic; null for other texts.</summary>
    private static string? Release(FactReader facts) => facts.Text("kernel").Split(' ') is ["Linux", "version", var release, ..] ? release : null;

    private static Version? Version(string? release) =>
        release?.Split('-', '+')[0].Split('.') is [var major, var minor, ..]
        && int.TryParse(major, NumberStyles.None, CultureInfo.InvariantCulture, out var first)
        && int.TryParse(minor, NumberStyles.None, CultureInfo.InvariantCulture, out var second)
            ? new Version(first, second)
            : null;

    private static string Mitigated(FactReader facts)
    {
        var faults = facts.Members("mitigations").ToList();
        var mitigated = faults.Count(fault => fault.Value.StartsWith("Mitigation", StringComparison.Ordinal));
        var open = faults.Where(fault => fault.Value.StartsWith("Vulnerable", StringComparison.Ordinal)).Select(fault => fault.Name).ToList();
        return faults.Count == 0
            ? facts.Text("mitigations")
            : $"{mitigated} on, {(open.Count == 0 ? "none missing" : $"missing against {string.Join(", ", open)}")}, {faults.Count} known";
    }

    private static bool IsLeftBySeccomp(FactReader facts) => !facts.Text(StoreBypass).Contains("seccomp");

    private static bool IsLeftHere(FactReader facts) => facts.Text(OwnStoreBypass) is not InnerStatus.ForceMitigated;

    /// <summary>The kernel's own word is about safety: its "Vulnerable" is what measuring wants, and alone would read as a fault.</summary>
    private static string InWords(string kernelsWord, string judged) =>
        kernelsWord is MachineFiles.Absent or MachineFiles.Unknown ? kernelsWord : $"{judged} (the kernel says: {kernelsWord})";

    private static JsonNode Messages(MachineScan scan)
    {
        using var log = KernelLog.Open(scan.Files);
        return log is not null ? "readable" : scan.Files.Exists(KernelLog.Path) ? MachineFiles.Unknown : MachineFiles.Absent;
    }

    private static string AreReadable(FactReader facts) =>
        facts.Text("kernelMessages") is var readable and not MachineFiles.Unknown ? readable : "not readable by this user";
}
