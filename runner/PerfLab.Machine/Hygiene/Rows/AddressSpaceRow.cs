using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>
/// Address space layout randomisation stays on. Others switch it off for precision; but one fixed layout is a bias that no number of
/// launches takes away, and many launches average over layouts (pyperf, https://pyperf.readthedocs.io/en/latest/system.html, says the same).
/// </summary>
internal sealed class AddressSpaceRow() : HygieneRow(13)
{
    public override IReadOnlyList<string> Constant => ["addressSpace"];

    public override void Read(MachineScan scan, JsonObject facts) => facts["addressSpace"] = scan.Whole("/proc/sys/kernel/randomize_va_space");

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var value = facts.Text("addressSpace");
        yield return Judged("address space randomisation", value, value is "2", (Penalty.Refuse,
            "one fixed layout favours base or head for good: sudo sysctl kernel.randomize_va_space=2", policy));
    }
}
