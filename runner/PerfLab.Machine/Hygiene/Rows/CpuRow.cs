using PerfLab.Core.Model;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Which processor this is: figures of different ones are never compared.</summary>
internal sealed class CpuRow() : HygieneRow(1)
{
    public override IReadOnlyList<string> Constant => ["cpu.model", "cpu.family", "cpu.modelNumber", "cpu.stepping", "cpu.microcode", "cpu.online"];

    public override void Read(MachineScan scan, JsonObject facts)
    {
        JsonNode Info(string key) => scan.Fact("/proc/cpuinfo", text => KernelText.Field(text, key));
        facts["cpu"] = new JsonObject
        {
            ["model"] = Info("model name"),
            ["family"] = Info("cpu family"),
            ["modelNumber"] = Info("model"),
            ["stepping"] = Info("stepping"),
            ["microcode"] = Info("microcode"),
            ["online"] = scan.Fact("/sys/devices/system/cpu/online", text => CpuList.TryParse(text, out var cpus) && cpus.Count > 0 ? CpuList.Format(cpus) : null),
            ["kinds"] = Kinds(scan),
        };
    }

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        yield return Recorded("CPU", facts.Text("cpu.model"));
        yield return Recorded("CPU stepping, microcode", $"{facts.Text("cpu.stepping")}, {facts.Text("cpu.microcode")}");
        yield return Recorded("cores online", facts.Text("cpu.online"));
        if (facts.Text("cpu.kinds") is var kinds && kinds.Contains("), ", StringComparison.Ordinal))
        {
            yield return Judged("core kinds", kinds, good: false, (Penalty.Warn,
                "fast and slow cores in one machine: give workloads cores of one kind (LAB_CPUS in /etc/perf-lab/machine.conf takes the others)", policy));
        }
    }

    // Intel names its two kinds (/sys/devices/cpu_core, cpu_atom); elsewhere the scheduler's capacities tell fast from slow.
    private static JsonNode Kinds(MachineScan scan) =>
        scan.Files.Exists("/sys/devices/cpu_atom/cpus")
            ? JsonValue.Create($"fast ({scan.Cpus("/sys/devices/cpu_core/cpus")}), slow ({scan.Cpus("/sys/devices/cpu_atom/cpus")})")!
            : scan.PerCpu("cpu_capacity");
}
