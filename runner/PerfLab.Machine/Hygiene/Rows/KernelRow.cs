using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>The kernel and its command line.</summary>
internal sealed class KernelRow() : HygieneRow(4)
{
    private static readonly Version SeccompWithoutPenalty = new(5, 16);

    public override IReadOnlyList<string> Constant => ["kernel", "commandLine"];

    public override void Read(MachineScan scan, JsonObject facts)
    {
        facts["kernel"] = scan.Line("/proc/version");
        facts["commandLine"] = scan.Line("/proc/cmdline");
        facts["pinnedKernel"] = scan.Lab.Kernel ?? MachineFiles.Absent;
    }

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var kernel = facts.Text("kernel");
        var (release, pinned) = (Release(kernel), facts.Text("pinnedKernel"));
        if (pinned is not (MachineFiles.Absent or MachineFiles.Unknown))
        {
            yield return Judged("pinned kernel", release ?? MachineFiles.Unknown, release == pinned, (Penalty.Refuse,
                $"this machine's figures are taken with {pinned} (KERNEL in {LabMachine.File}): boot that one, or pin the new one and begin a new series", policy));
        }

        // Before 5.16 a default seccomp filter switched speculation mitigations on and made interpreters 1.5 to 2 times slower.
        var old = Version(release) is { } version && version < SeccompWithoutPenalty && facts.Text("executor.executor") is not "process";
        yield return Judged("kernel", kernel, !old, (Penalty.Refuse, "containers are slowed by seccomp before Linux 5.16; use a newer kernel", policy));
        yield return Recorded("kernel command line", facts.Text("commandLine"));
    }

    /// <summary>"Linux version 6.8.0-41-generic (…" gives 6.8.0-41-generic; null for other texts.</summary>
    private static string? Release(string text) => text.Split(' ') is ["Linux", "version", var release, ..] ? release : null;

    private static Version? Version(string? release) =>
        release?.Split('-', '+')[0].Split('.') is [var major, var minor, ..]
        && int.TryParse(major, NumberStyles.None, CultureInfo.InvariantCulture, out var first)
        && int.TryParse(minor, NumberStyles.None, CultureInfo.InvariantCulture, out var second)
            ? new Version(first, second)
            : null;
}
