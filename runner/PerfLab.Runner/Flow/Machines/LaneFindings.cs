using PerfLab.Core.Model;
using PerfLab.Machine.Hygiene;
using PerfLab.Machine.SelfTests;
using PerfLab.Machine.Watching;

namespace PerfLab.Runner.Flow.Machines;

/// <summary>`doctor --lanes`: what cells beside each other would cost on this machine.</summary>
internal static class LaneFindings
{
    private const string Fix = "measure one cell at a time here; more machines measure more cells at once (docs/shards.md)";

    public static IReadOnlyList<HygieneFinding> Of(MachineInspection inspection)
    {
        IReadOnlyList<int> cores = inspection.WorkloadCpus is { } kept && CpuList.TryParse(kept, out var own) ? own : LaneTest.OwnCores();
        return cores.Count < 2
            ? [new(0, "lanes", "workloads have one core here, so there is one lane", HygieneSeverity.Record)]
            : Of(LaneTest.Run(inspection.Time, cores), cores);
    }

    public static IReadOnlyList<HygieneFinding> Of(IReadOnlyList<LaneFigure>? figures, IReadOnlyList<int> cores)
    {
        if (figures is null)
        {
            return [new(0, "lanes", "threads can't be pinned to cores here, so nobody can say", HygieneSeverity.Record)];
        }

        var most = LaneTest.MostQuiet(figures);
        return
        [
            .. figures.Select(figure => new HygieneFinding(0, Invariant($"{figure.Lanes} lanes, {figure.Kind}"), Text(figure),
                figure.IsDisturbed ? HygieneSeverity.Warn : HygieneSeverity.Ok, figure.IsDisturbed ? Fix : null)),
            new(0, "lanes that do not disturb each other",
                Invariant($"{most} of {cores.Count} on cores {CpuList.Format([.. cores])}"), HygieneSeverity.Record),
        ];
    }

    /// <summary>"20.14 ms alone, 20.30 ms beside busy cores: +0.8 % (spread 0.3 %, core 3)".</summary>
    private static string Text(LaneFigure figure) => Invariant(
        $"{figure.AloneSeconds * 1000:0.00} ms alone, {figure.TogetherSeconds * 1000:0.00} ms beside {(figure.Lanes == 2 ? "a busy core" : "busy cores")}: ")
        + Invariant($"{figure.Shift * 100:+0.0;-0.0;0.0} % (spread {figure.Spread * 100:0.0} %, core {figure.Core})");
}
