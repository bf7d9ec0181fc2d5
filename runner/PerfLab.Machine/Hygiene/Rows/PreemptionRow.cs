using PerfLab.Machine.Facts;
using PerfLab.Machine.Watching;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>
/// How long runnable threads waited for a core since boot (/proc/schedstat, where the kernel keeps it). What others take of a launch's cores
/// is the watch's (<see cref="Preemption"/>).
/// </summary>
internal sealed class PreemptionRow() : HygieneRow(23)
{
    public override void Read(MachineScan scan, JsonObject facts) => facts["waitingSeconds"] = scan.Files.Text("/proc/schedstat", MachineFiles.Large) is { } text
        ? KernelText.WaitedNanoseconds(text) is { } waited ? JsonValue.Create(waited / 1e9) : JsonValue.Create(MachineFiles.Unknown)
        : JsonValue.Create(scan.Files.Exists("/proc/schedstat") ? MachineFiles.Unknown : MachineFiles.Absent);

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy) =>
        [Recorded("threads waited for a core since boot", facts.Number("waitingSeconds") is { } seconds
            ? seconds.ToString("0.0", CultureInfo.InvariantCulture) + " s" : facts.Text("waitingSeconds"))];
}
