using PerfLab.Machine.Facts;
using PerfLab.Machine.Watching;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Swap: off. What moved during a round is the watch's (<see cref="HygieneWatch"/>).</summary>
internal sealed class SwapRow() : HygieneRow(16)
{
    public override IReadOnlyList<string> Constant => ["swapKiB"];

    public override void Read(MachineScan scan, JsonObject facts) => facts["swapKiB"] = scan.Fact("/proc/swaps", text => KernelText.SwapKibibytes(text));

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var swap = facts.Number("swapKiB");
        var value = swap is { } size ? size > 0 ? (size / 1024).ToString("0", CultureInfo.InvariantCulture) + " MiB" : "off" : facts.Text("swapKiB");
        yield return Judged("swap", value, value is "off", (Penalty.Refuse, "a launch that swaps measures the disk; switch it off: sudo swapoff -a", policy));
    }
}
