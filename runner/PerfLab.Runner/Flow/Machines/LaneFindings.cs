using PerfLab.Core.Model;
using PerfLab.Machine.Hygiene;
using PerfLab.Machine.SelfTests;
using PerfLab.Machine.Watching;

namespace PerfLab.Runner.Flow.Machines;

/// <summary>`doctor --lanes`: what cells beside each other would cost on this machine.</summary>
internal static class LaneFindings
{
    private const string Fix = "measure one cell at a time here; more machines measure more cells at once (docs/internals/shards.md)";
    private const string Unsure = "nothing is shown while other programs run: stop them and ask again";

    /// <summary>Measures, and keeps what it found for `measure --lanes`.</summary>
    /// <param name="facts">Of this machine.</param>
    public static IReadOnlyList<HygieneFinding> Of(MachineInspection inspection, JsonObject facts)
    {
        var cores = LaneCores.Of(inspection.WorkloadCpus);
        if (cores.Lanes.Count < 2)
        {
            return [new(0, "lanes", "workloads have one core here, so there is one lane", HygieneSeverity.Record)];
        }

        if (LaneTest.Run(inspection.Time, cores.Lanes) is not { } figures)
        {
            return [new(0, "lanes", "threads can't be pinned to cores here, so nobody can say", HygieneSeverity.Record)];
        }

        var record = new LaneRecord(LaneRecord.MachineOf(facts),
            inspection.Time.GetUtcNow().UtcDateTime.ToString("yyyy-MM-dd HH:mm 'UTC'", CultureInfo.InvariantCulture),
            CpuList.Format([.. cores.Lanes]), CpuList.Format([.. cores.Lab]), figures);
        record.Write(inspection.Store);
        return Of(record);
    }

    /// <summary>The worst core for each number of busy cores and kind of work, and what comes of it.</summary>
    public static IReadOnlyList<HygieneFinding> Of(LaneRecord record) =>
    [
        .. record.Figures.Select(figure => new HygieneFinding(0, Invariant($"{figure.Lanes} lanes, {figure.Kind}"), Text(figure),
            figure.IsQuiet ? HygieneSeverity.Ok : HygieneSeverity.Warn,
            figure.IsQuiet ? null : Math.Abs(figure.Shift) > LaneFigure.MostShift ? Fix : Unsure)),
        new(0, "lanes that do not disturb each other", (record.Quiet > 1 ? Invariant($"{record.Quiet} of cores {record.Cores}") : "none")
            + (record.LabCores.Length == 0 ? "; the lab's own work needs a core, too" : $"; core {record.LabCores} stays with the lab"),
            HygieneSeverity.Record),
    ];

    /// <summary>"20.14 ms alone, 20.30 ms beside busy cores: +0.8 %, at most 1.0 % (spread 0.3 %, core 3)".</summary>
    private static string Text(LaneFigure figure) => Invariant(
        $"{figure.AloneSeconds * 1000:0.00} ms alone, {figure.TogetherSeconds * 1000:0.00} ms beside ")
        + (figure.Lanes == 2 ? "a busy core: " : "busy cores: ")
        + Invariant($"{figure.Shift * 100:+0.0;-0.0;0.0} %, at most {figure.Bound * 100:0.0} % ")
        + Invariant($"(spread {figure.Spread * 100:0.0} %, core {figure.Core})");
}
