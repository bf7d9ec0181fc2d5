using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Boost ("turbo"): a clock that depends on temperature and on what the other cores do.</summary>
internal sealed class BoostRow() : HygieneRow(8)
{
    public override IReadOnlyList<string> Constant => ["boost"];

    public override void Read(MachineScan scan, JsonObject facts) => facts["boost"] = new JsonObject
    {
        ["cpufreq"] = scan.Whole("/sys/devices/system/cpu/cpufreq/boost"),
        ["intelNoTurbo"] = scan.Whole("/sys/devices/system/cpu/intel_pstate/no_turbo"),
        ["amdPstate"] = scan.Line("/sys/devices/system/cpu/amd_pstate/status"),
        ["perCore"] = scan.PerCpu("cpufreq/boost"),
    };

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        string[] words =
        [
            Word(facts.Text("boost.cpufreq"), on: "1", off: "0"),
            Word(facts.Text("boost.intelNoTurbo"), on: "0", off: "1"),
            Word(facts.Text("boost.perCore"), on: "1", off: "0"),
        ];
        var value = new[] { "on", MachineFiles.Unknown, "off" }.FirstOrDefault(word => words.Contains(word, StringComparer.Ordinal)) ?? MachineFiles.Absent;
        yield return Judged("boost", value, value is "off", (Penalty.RefuseOnMetal,
            "the clock depends on temperature and neighbours: echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost (Intel: echo 1 into intel_pstate/no_turbo)", policy));
    }

    // Cores that disagree ("0 (0-3), 1 (4-7)") are on.
    private static string Word(string value, string on, string off) =>
        value is MachineFiles.Absent or MachineFiles.Unknown ? value
        : value == off ? "off"
        : value == on || value.Contains('(', StringComparison.Ordinal) ? "on"
        : MachineFiles.Unknown;
}
