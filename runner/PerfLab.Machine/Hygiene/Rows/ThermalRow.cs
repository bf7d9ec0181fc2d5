using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Heat: a processor that is too hot clocks itself down. A virtual machine shows nothing of it.</summary>
internal sealed class ThermalRow() : HygieneRow(25)
{
    public override void Read(MachineScan scan, JsonObject facts) => facts["thermal"] = new JsonObject
    {
        ["hottestCelsius"] = Thermometers.Find(scan.Files) is { Count: > 0 } thermometers
            ? Thermometers.Hottest(scan.Files, thermometers) is { } hottest ? JsonValue.Create(hottest) : JsonValue.Create(MachineFiles.Unknown)
            : JsonValue.Create(MachineFiles.Absent),
        ["throttled"] = ThrottleCounts.Find(scan.Files) is { Count: > 0 } counters
            ? ThrottleCounts.Sum(scan.Files, counters) is { } sum ? JsonValue.Create(sum) : JsonValue.Create(MachineFiles.Unknown)
            : JsonValue.Create(MachineFiles.Absent),
    };

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        yield return Recorded("hottest sensor", facts.Number("thermal.hottestCelsius") is { } celsius
            ? celsius.ToString("0.0", CultureInfo.InvariantCulture) + " C" : facts.Text("thermal.hottestCelsius"));
        yield return Recorded("clocked down by heat since boot", facts.Text("thermal.throttled"));
    }
}
