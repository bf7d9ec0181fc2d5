using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>The clock that the cores really had, where the processor's own counters can be read (ACPI CPPC: APERF and MPERF as text).</summary>
internal sealed class FrequencyRow() : HygieneRow(26)
{
    public override void Read(MachineScan scan, JsonObject facts) => facts["realFrequency"] =
        FeedbackCounters.Find(scan.Files) is not { Count: > 0 } cores ? JsonValue.Create(MachineFiles.Absent)
        : FeedbackCounters.Read(scan.Files, cores) is { } counters ? JsonValue.Create(counters.SinceBoot)
        : JsonValue.Create(MachineFiles.Unknown);

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy) =>
        [Recorded("real frequency over nominal, since boot", facts.Number("realFrequency") is { } ratio
            ? ratio.ToString("0.000", CultureInfo.InvariantCulture) : facts.Text("realFrequency"))];
}
