using System.Collections.Concurrent;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Reporting.Text;
using PerfLab.Launching;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Kernel;
using PerfLab.Machine.SelfTests;
using PerfLab.Machine.Watching;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Flow.Lanes;

/// <summary>
/// `measure --lanes N`: the shards of a plan, N at once, each on cores of its own; whoever is done takes the next one. Only where
/// `doctor --lanes` showed that the cores do not disturb each other.
/// </summary>
/// <param name="lab">The wiring; its terminal is written to by several threads.</param>
/// <param name="first">The launcher of the first lane; the others are of its kind.</param>
/// <param name="asked">The policy that somebody asked for; null leaves it to the machine.</param>
/// <param name="patience">How long to wait for a quiet machine.</param>
internal sealed class LaneStep(Lab lab, ILauncher first, HygienePolicy? asked, Patience patience)
{
    private const string Instead = "measure the shards one after another (--shard K), or on several machines";

    /// <summary>What lanes are made of.</summary>
    public Func<MachineInspection, LaneCores> CoresOf { get; init; } = inspection => LaneCores.Of(inspection.WorkloadCpus);

    /// <summary>Measures every shard that is not complete yet.</summary>
    /// <param name="plan">With shards, at least as many as lanes.</param>
    /// <param name="built">Of all of them.</param>
    /// <param name="lanes">At least two.</param>
    /// <param name="folder">Gets a folder for each shard: shard-1, shard-2 and so on.</param>
    /// <returns>The journals, in the order of the shards.</returns>
    public async Task<IReadOnlyList<string>> RunAsync(
        RunPlan plan, ArmBuilds built, int lanes, string folder, CancellationToken cancellationToken)
    {
        await using var machine = await new MeasureStep(lab, first, asked, patience).ReadyAsync(plan, built, cancellationToken);
        var cores = CoresOf(machine.Inspection);
        var sets = Cores(LaneRecord.Read(lab.Config.Store), LaneRecord.MachineOf(machine.Found.Facts), cores, lanes, CoresEach(plan));
        var work = new ShardWork(lab, plan, built, folder, asked, machine);
        var launchers = new List<ILauncher>();
        try
        {
            // Before the lab keeps to its own cores: a launcher looks once which there are.
            for (var lane = 0; lane < lanes; lane++)
            {
                launchers.Add(lab.Executors.Another(first, cores.Lab));
                await launchers[lane].PrepareAsync([.. SameIl.Hold(plan, built).Builds], cancellationToken);
            }

            using var apart = new LabThreads(cores.Lab);
            var line = new ProgressLine(lab.Terminal);
            var free = new ConcurrentQueue<(Lane Lane, ILauncher Launcher)>(sets.Zip(launchers)
                .Select((one, at) => (new Lane(at + 1, lanes, one.First, line), one.Second)));
            await Parallel.ForEachAsync(
                Enumerable.Range(1, plan.Shards!.Count),
                new ParallelOptions { MaxDegreeOfParallelism = lanes, CancellationToken = cancellationToken },
                async (shard, stop) =>
                {
                    free.TryDequeue(out var place);
                    await work.MeasureAsync(shard, place.Lane, place.Launcher, stop);
                    free.Enqueue(place);
                });
        }
        finally
        {
            foreach (var launcher in launchers)
            {
                await launcher.DisposeAsync();
            }
        }

        return work.Journals;
    }

    /// <summary>The cores of each lane.</summary>
    /// <param name="record">What doctor measured; null: nothing.</param>
    /// <param name="machine">Which start of which machine this is.</param>
    /// <param name="cores">That lanes can be made of now.</param>
    /// <param name="lanes">How many somebody asked for.</param>
    /// <param name="coresEach">That a launch needs.</param>
    /// <exception cref="LabException">Nobody showed that so many cores do not disturb each other.</exception>
    internal static IReadOnlyList<IReadOnlyList<int>> Cores(LaneRecord? record, string machine, LaneCores cores, int lanes, int coresEach)
    {
        const string Measure = "`./perf-lab doctor --lanes` measures it, in a minute or two while nothing else runs; or " + Instead;
        if (record is null)
        {
            throw Refused(lanes, "nobody has measured whether programs on disjoint cores disturb each other here", Measure);
        }

        if (record.Machine != machine)
        {
            throw Refused(lanes, $"the figures of {record.Time} are of another start of this machine, or of another one", Measure);
        }

        if (record.Cores != CpuList.Format([.. cores.Lanes]) || record.LabCores != CpuList.Format([.. cores.Lab]))
        {
            var now = CpuList.Format([.. cores.Lanes]);
            throw Refused(lanes, $"the figures of {record.Time} are of cores {record.Cores}, and now it would be {now}", Measure);
        }

        var busy = (long)lanes * coresEach;
        var enough = busy <= record.Quiet ? cores.Split(lanes, coresEach) : null;
        return enough ?? throw Refused(lanes, Invariant($"{lanes} lanes of {Counted.Of(coresEach, "core")} keep {busy} busy, and {Shown(record)}"), Instead);
    }

    /// <summary>What the largest cell of the plan takes.</summary>
    private static int CoresEach(RunPlan plan) => plan.Cells.Where(cell => cell.Unavailable is null)
        .Max(cell => Math.Max(1, cell.Resources.Cpus) * cell.Arms.Max(arm => Math.Max(1, arm.Nodes?.Count ?? 1)));

    /// <summary>"doctor --lanes showed 2 of cores 1-7 to be quiet (4 lanes, memory: +31.2 %, at most 33.0 %)".</summary>
    private static string Shown(LaneRecord record)
    {
        var loud = record.Figures.Where(figure => !figure.IsQuiet).OrderBy(figure => figure.Lanes)
            .Select(figure => Invariant($"{figure.Lanes} busy, {figure.Kind}: {figure.Shift * 100:+0.0;-0.0;0.0} %")
                + Invariant($", at most {figure.Bound * 100:0.0} %"));
        var why = string.Join("; ", record.LabCores.Length > 0 ? loud : loud.Append("the lab's own work needs a core, too"));
        var quiet = record.Quiet > 1 ? Invariant($"{record.Quiet} of cores {record.Cores}") : "none";
        return $"doctor --lanes ({record.Time}) showed {quiet} to be quiet beside each other{(why.Length > 0 ? $" ({why})" : "")}";
    }

    private static LabException Refused(int lanes, string cameBack, string toDo) =>
        new(Invariant($"measuring {lanes} cells at once on this machine"), cameBack, toDo);
}
