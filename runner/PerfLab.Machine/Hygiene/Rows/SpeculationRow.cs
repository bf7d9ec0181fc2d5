using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>
/// Speculation as a workload gets it. Before Linux 5.16 every process behind a seccomp filter lost it ("force mitigated"), which makes
/// interpreters and compilers 1.5 to 2 times slower. Seen from the mitigation's own text here; inside the container by <see cref="InnerStatus"/>.
/// </summary>
internal sealed class SpeculationRow() : HygieneRow(6)
{
    private const string Fix = "speculation is switched off for whatever runs behind a seccomp filter, which slows CPU-bound code 1.5 to 2 times: "
        + "use Linux 5.16 or later, or boot with spec_store_bypass_disable=prctl spectre_v2_user=prctl";

    public override void Read(MachineScan scan, JsonObject facts) => facts["speculation"] = InnerStatus.Read(scan.Files.Text("/proc/self/status"));

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var bypass = facts.Text("mitigations.spec_store_bypass");
        yield return Judged("speculation behind seccomp", bypass, !bypass.Contains("seccomp", StringComparison.Ordinal), (Penalty.Refuse, Fix, policy));
        var own = facts.Text("speculation.storeBypass");
        yield return Judged("speculation of this process", own, own is not InnerStatus.ForceMitigated, (Penalty.Refuse, Fix, policy));
    }
}
