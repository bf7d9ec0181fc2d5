using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Whether the kernel's messages can be read: it reports broken memory, heat, a failing disk there and nowhere else.</summary>
internal sealed class KernelMessagesRow() : HygieneRow(27)
{
    public override void Read(MachineScan scan, JsonObject facts)
    {
        using var log = KernelLog.Open(scan.Files);
        facts["kernelMessages"] = log is not null ? "readable" : scan.Files.Exists(KernelLog.Path) ? MachineFiles.Unknown : MachineFiles.Absent;
    }

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var readable = facts.Text("kernelMessages");
        yield return readable is MachineFiles.Unknown
            ? new(Number, "kernel messages", "not readable by this user", policy == HygienePolicy.Any ? HygieneSeverity.Record : HygieneSeverity.Warn,
                policy == HygienePolicy.Any ? null : "memory faults and throttling go unseen: run as root, or sudo sysctl kernel.dmesg_restrict=0")
            : Judged("kernel messages", readable, readable is "readable", (Penalty.Warn, "", policy));
    }
}
