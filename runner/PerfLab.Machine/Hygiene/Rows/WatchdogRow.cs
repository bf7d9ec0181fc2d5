using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>The kernel's own sampling: a watchdog that interrupts every core, and how often a profiler may.</summary>
internal sealed class WatchdogRow() : HygieneRow(17)
{
    public override IReadOnlyList<string> Constant => ["watchdog.nmi"];

    public override void Read(MachineScan scan, JsonObject facts) => facts["watchdog"] = new JsonObject
    {
        ["nmi"] = scan.Whole("/proc/sys/kernel/nmi_watchdog"),
        ["perfSampleRate"] = scan.Whole("/proc/sys/kernel/perf_event_max_sample_rate"),
    };

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var nmi = facts.Text("watchdog.nmi");
        yield return Judged("NMI watchdog", nmi switch { "0" => "off", "1" => "on", var other => other }, nmi is "0", (Penalty.Warn,
            "it interrupts every core and holds one of its counters: sudo sysctl kernel.nmi_watchdog=0", policy));
        yield return Recorded("most perf samples a second", facts.Text("watchdog.perfSampleRate"));
    }
}
