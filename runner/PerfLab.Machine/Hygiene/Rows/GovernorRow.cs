using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Who chooses the clock frequency, and between which limits. A virtual machine usually has no such folder.</summary>
internal sealed class GovernorRow() : HygieneRow(7)
{
    public override IReadOnlyList<string> Constant => ["frequency.governor", "frequency.driver", "frequency.least", "frequency.most"];

    public override void Read(MachineScan scan, JsonObject facts) => facts["frequency"] = new JsonObject
    {
        ["governor"] = scan.PerCpu("cpufreq/scaling_governor"),
        ["driver"] = scan.PerCpu("cpufreq/scaling_driver"),
        ["least"] = scan.PerCpu("cpufreq/scaling_min_freq"),
        ["most"] = scan.PerCpu("cpufreq/scaling_max_freq"),
    };

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var governor = facts.Text("frequency.governor");
        yield return Judged("frequency governor", governor, governor is "performance", (Penalty.RefuseOnMetal,
            "the frequency follows the load: echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor", policy));
        var limits = $"{facts.Text("frequency.least")} to {facts.Text("frequency.most")} kHz";
        yield return Recorded("frequency driver", facts.Text("frequency.driver") is MachineFiles.Absent ? MachineFiles.Absent : $"{facts.Text("frequency.driver")}, {limits}");
    }
}
