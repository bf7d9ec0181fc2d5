using PerfLab.Workloads.CalibratedSpin;
using PerfLab.WorkloadKit;

return WorkloadProgram.Run(args, launch =>
{
    var work = launch.Parameters.Integer("work", standard: 1000, minimum: 1, maximum: 60_000);
    var effect = launch.Parameters.Choice("effect", "spin", "sleep", "alloc", "noise");
    var slower = launch.Parameters.Number("slower", standard: 0, minimum: 0, maximum: 10);
    launch.Parameters.Check();
    Arithmetic.Check();

    IPiece warm = Pieces.Of(effect, slower);
    IPiece measured = Pieces.Of(effect, slower);
    var usedBefore = TimeSpan.Zero;
    var current = warm;
    var windows = launch.Time(
        () => current.Run(),
        pieces: work * Pieces.PerUnitOfWork,
        warmedUp: () => (current, usedBefore) = (measured, ProcessClock.CpuTime()));

    launch.Report("time", windows.Seconds, "s");
    launch.Report("cpu", (ProcessClock.CpuTime() - usedBefore).TotalSeconds, "s");
    launch.Report("allocated", windows.Runtime.AllocatedBytes, "B");
    launch.Prove("iterations", windows.Count.ToString(System.Globalization.CultureInfo.InvariantCulture));
});
