using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>How deep an idle core sleeps: waking up from a deep state takes tens to hundreds of microseconds.</summary>
internal sealed class IdleRow() : HygieneRow(11)
{
    private const string Folder = "/sys/devices/system/cpu/cpu0/cpuidle";
    private const int MostStates = 32;

    /// <summary>Microseconds to wake up; C1 takes 1 to 2, the next deeper state of current processors from about 15 on.</summary>
    private const long DeepFrom = 10;

    public override IReadOnlyList<string> Constant => ["idle"];

    public override void Read(MachineScan scan, JsonObject facts)
    {
        var states = scan.Files.Names(Folder).Where(name => name.StartsWith("state", StringComparison.Ordinal)).Take(MostStates).ToList();
        facts["idle"] = new JsonObject
        {
            ["driver"] = scan.Line("/sys/devices/system/cpu/cpuidle/current_driver"),
            ["states"] = states.Count == 0 ? MachineFiles.Absent : string.Join(", ", states.Select(state => scan.Line($"{Folder}/{state}/name").ToString())),
            ["deep"] = states.Count == 0 ? MachineFiles.Absent : Deep(scan, states),
        };
    }

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var deep = facts.Text("idle.deep");
        yield return Judged("deep idle states", deep, deep is "none", (Penalty.WarnOnMetal,
            "cores that slept deeply answer late: sudo cpupower idle-set -D 10, or boot with processor.max_cstate=1", policy));
        yield return Recorded("idle driver", $"{facts.Text("idle.driver")}, states {facts.Text("idle.states")}");
    }

    private static string Deep(MachineScan scan, List<string> states)
    {
        var on = states.Where(state => KernelText.Whole(scan.Files.Text($"{Folder}/{state}/latency") ?? "") > DeepFrom
            && KernelText.Whole(scan.Files.Text($"{Folder}/{state}/disable") ?? "") is not 1);
        return string.Join(", ", on.Select(state => scan.Line($"{Folder}/{state}/name").ToString())) is { Length: > 0 } list ? list : "none";
    }
}
