using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>What the kernel reads the time from.</summary>
internal sealed class ClockSourceRow() : HygieneRow(18)
{
    public override IReadOnlyList<string> Constant => ["clockSource"];

    public override void Read(MachineScan scan, JsonObject facts) =>
        facts["clockSource"] = scan.Line("/sys/devices/system/clocksource/clocksource0/current_clocksource");

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var source = facts.Text("clockSource");
        // Hyper-V's page holds the factors of the TSC: read without a trap, as the TSC itself.
        var good = source is "tsc" || (policy != HygienePolicy.Metal && source is "hyperv_clocksource_tsc_page");
        yield return good ? new(Number, "clock source", source, HygieneSeverity.Ok) : new(Number, "clock source", source, Penalty.Refuse.Under(policy),
            "reading the clock costs a trap into the kernel or the hypervisor; boot with clocksource=tsc if the CPU has an invariant TSC");
    }
}
