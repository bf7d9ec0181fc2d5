using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Processor time that the hypervisor gave to other machines. Many report none and steal all the same: then only the self-test and the longest pause show it.</summary>
internal sealed class StealRow() : HygieneRow(20)
{
    /// <summary>Share of all processor time that others may have taken on a virtual machine.</summary>
    public const double MostSteal = 0.001;

    public override void Read(MachineScan scan, JsonObject facts) => facts["stealShare"] =
        scan.Fact("/proc/stat", text => KernelText.Ticks(text) is { Total: > 0 } ticks ? (double)ticks.Steal / ticks.Total : null);

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var steal = facts.Number("stealShare");
        var value = steal is { } share ? (share * 100).ToString("0.###", CultureInfo.InvariantCulture) + " % since boot" : facts.Text("stealShare");
        var most = policy == HygienePolicy.Metal ? 0 : MostSteal;
        yield return Judged("steal", value, steal is null || steal <= most, (Penalty.Warn,
            "other virtual machines take this one's processor time; use a dedicated size or another host", policy));
    }
}
