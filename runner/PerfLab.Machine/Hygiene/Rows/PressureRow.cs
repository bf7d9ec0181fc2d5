using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>How much work waited for memory and disk in the last minute (the kernel's pressure stall information).</summary>
internal sealed class PressureRow() : HygieneRow(21)
{
    public override void Read(MachineScan scan, JsonObject facts)
    {
        JsonNode Last(string of) => scan.Fact($"/proc/pressure/{of}", text => KernelText.Pressure(text, "some")?.LastMinute);
        facts["pressure"] = new JsonObject { ["cpu"] = Last("cpu"), ["memory"] = Last("memory"), ["io"] = Last("io") };
    }

    // Before a session it is a hint; what happens during a round is judged by the watch.
    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        string Of(string name) => facts.Text($"pressure.{name}") is var value && value is MachineFiles.Absent or MachineFiles.Unknown ? value : value + " %";
        yield return Recorded("pressure, last minute", $"cpu {Of("cpu")}, memory {Of("memory")}, io {Of("io")}");
    }
}
