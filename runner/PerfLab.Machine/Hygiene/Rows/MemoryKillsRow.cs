using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Programs that the kernel killed for want of memory. A launch of ours that is killed is its cell's own outcome.</summary>
internal sealed class MemoryKillsRow() : HygieneRow(24)
{
    public override void Read(MachineScan scan, JsonObject facts) =>
        facts["memoryKills"] = scan.Fact("/proc/vmstat", text => KernelText.Counter(text, "oom_kill"));

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy) =>
        [Recorded("kills for want of memory since boot", facts.Text("memoryKills"))];
}
