using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Transparent huge pages: only for who asks. "always" makes memory and pauses depend on how fragmented the machine is.</summary>
internal sealed class HugePagesRow() : HygieneRow(14)
{
    public override IReadOnlyList<string> Constant => ["hugePages"];

    public override void Read(MachineScan scan, JsonObject facts) => facts["hugePages"] = new JsonObject
    {
        ["enabled"] = scan.Fact("/sys/kernel/mm/transparent_hugepage/enabled", KernelText.Choice),
        ["defrag"] = scan.Fact("/sys/kernel/mm/transparent_hugepage/defrag", KernelText.Choice),
    };

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var enabled = facts.Text("hugePages.enabled");
        yield return Judged("transparent huge pages", enabled, enabled is "madvise", (Penalty.Refuse,
            "the lab measures with madvise: echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled", policy));
        yield return Recorded("huge page defragmentation", facts.Text("hugePages.defrag"));
    }
}
