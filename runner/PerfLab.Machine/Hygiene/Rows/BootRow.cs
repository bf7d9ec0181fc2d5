using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>The boot id: base and head are never compared across a restart.</summary>
internal sealed class BootRow() : HygieneRow(2)
{
    public override IReadOnlyList<string> Constant => ["bootId"];

    public override void Read(MachineScan scan, JsonObject facts) =>
        facts["bootId"] = scan.Fact("/proc/sys/kernel/random/boot_id", KernelText.BootId);

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var bootId = facts.Text("bootId");
        var known = bootId is not (MachineFiles.Absent or MachineFiles.Unknown);
        yield return known ? new(Number, "boot id", bootId, HygieneSeverity.Ok)
            : new(Number, "boot id", bootId, Penalty.Refuse.Under(policy),
                "a restart in the middle of a session can't be seen; run where /proc/sys/kernel/random/boot_id can be read (Linux)");
    }
}
