using PerfLab.Building;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Proof;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;
using PerfLab.Machine.Watching;
using PerfLab.Programs;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Flow;

/// <summary>
/// Plan + builds -> journal. A journal that is already there is gone on with, when it is of the same plan, builds and boot.
/// </summary>
/// <param name="lab">The wiring.</param>
/// <param name="launcher">Who launches.</param>
/// <param name="asked">The policy that somebody asked for; null leaves it to the machine.</param>
/// <param name="budget">How long to wait for a quiet machine; null does not wait.</param>
internal sealed class MeasureStep(Lab lab, ILauncher launcher, HygienePolicy? asked = null, WaitBudget? budget = null)
{
    /// <summary>Which shard the plan was cut down to; null: none, it is whole.</summary>
    public int? Shard { get; init; }

    /// <summary>The machine's lock, which others may have while this only waits; null: it is held for more than this session.</summary>
    public MachineTurn? Turn { get; init; }

    /// <summary>Whether an interruption is told here: false where the session is part of something larger, which tells how all of it goes on.</summary>
    public bool TellsInterruption { get; init; } = true;

    /// <summary>Where other shards are measured at the same time: the progress line of all of them. Null: one of its own.</summary>
    public NamedProgress? Progress { get; init; }

    public async Task RunAsync(RunPlan plan, ArmBuilds built, SessionFolder folder, CancellationToken cancellationToken)
    {
        await using var machine = await OrTellAsync(ReadyAsync(plan, built, cancellationToken), folder);
        await MeasureAsync(plan, built, folder, machine, cancellationToken);
    }

    private int SelfTestRepeats => lab.Terminal.SelfTestRepeats ?? SelfTest.FewRepeats;

    private async Task<ReadyMachine> OrTellAsync(Task<ReadyMachine> ready, SessionFolder folder)
    {
        try
        {
            return await ready;
        }
        catch (OperationCanceledException) when (TellsInterruption)
        {
            lab.Terminal.Say($"interrupted while the machine was made ready; go on with {HowToGoOn(folder)}");
            throw;
        }
    }

    /// <summary>All that comes before the first launch: the builds are where they are launched, and the machine is fit.</summary>
    public async Task<ReadyMachine> ReadyAsync(RunPlan plan, ArmBuilds built, CancellationToken cancellationToken)
    {
        await launcher.PrepareAsync([.. SameIl.Check(plan, built).Builds], cancellationToken);
        await PlaceAsync(plan, cancellationToken);
        var inspection = new MachineInspection
        {
            Time = lab.Terminal.Clock,
            Store = lab.Config.Store,
            Executor = await launcher.DescribeAsync(cancellationToken),
            SelfTestRepeats = SelfTestRepeats,
        };
        if (!launcher.MeasuresHere)
        {
            return Elsewhere(inspection);
        }

        var policy = inspection.PolicyOr(asked);
        var events = inspection.WatchEvents(policy);
        try
        {
            return new(inspection, policy, events, await QuietMachine.FindAsync(
                stop => inspection.RunAsync(policy, events, stop), policy, budget, lab.Terminal, cancellationToken, Turn));
        }
        catch when (events is not null)
        {
            await events.DisposeAsync();
            throw;
        }
    }

    private async Task PlaceAsync(RunPlan plan, CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                await launcher.PlaceAsync(plan, cancellationToken);
                return;
            }
            catch (NoPlaceException none) when (budget is { IsOver: false })
            {
                await budget.WaitAsync("place", none.CameBack, cancellationToken);
            }
        }
    }

    /// <summary>Nothing is measured on this machine: it is described, and need not be quiet or fit.</summary>
    private ReadyMachine Elsewhere(MachineInspection inspection)
    {
        if (asked is { } policy && policy != HygienePolicy.Any)
        {
            var word = policy.ToString().ToLowerInvariant();
            lab.Terminal.Say($"--policy {word} is about this machine, where nothing is measured: it is not applied");
        }

        return new(inspection, HygienePolicy.Any, null, inspection.Describe());
    }

    /// <summary>Measures on a machine that is ready.</summary>
    public async Task MeasureAsync(
        RunPlan plan, ArmBuilds built, SessionFolder folder, ReadyMachine machine, CancellationToken cancellationToken)
    {
        var builds = SameIl.Check(plan, built);
        var (inspection, policy, events, found) = machine;
        var header = new SessionHeader
        {
            Session = folder.Id,
            Plan = plan.Hash,
            Shard = Shard,
            Seed = plan.Seed,
            SameIl = plan.SameIl,
            Started = lab.Terminal.Clock.GetUtcNow(),
            PlacedAt = plan.PlacedAt,
            Executor = launcher.Executor,
            Machine = found.Facts,
            Policy = plan.Policy,
            Cells = builds.ToCells(plan),
        };
        using var journal = Open(folder, header, out var record);
        if (journal is null)
        {
            lab.Terminal.Say($"{folder.Samples} is complete: nothing left to measure");
            return;
        }

        var setup = new SessionSetup
        {
            Plan = plan,
            Builds = builds,
            Header = header,
            Cpus = inspection.WorkloadCpus,
            Clock = lab.Terminal.Clock,
            Touches = TouchStore.In(lab.Config.Store),
        };
        var line = Progress?.Line ?? new ProgressLine(lab.Terminal);
        lab.Terminal.Say(DryRun.Summary(plan));
        foreach (var reason in TurnsHere.Settle(plan, record, launcher, MachineRoom.Now(lab.WorkloadCpus)))
        {
            lab.Terminal.Say($"not in turns, but one launch after the other: {reason}");
        }

        try
        {
            using var hygiene = new HygieneWatch(inspection.Files, lab.Terminal.Clock, policy);
            using var pauses = inspection.WatchPauses();
            var blocks = !launcher.MeasuresHere ? null : new BlockWatch(new()
            {
                Files = inspection.Files,
                Time = lab.Terminal.Clock,
                Policy = policy,
                SelfTest = () => SelfTest.RunAll(lab.Terminal.Clock, SelfTestRepeats),
                JustNow = found.Figures,
                Usual = found.Usual,
                EarlierRuns = found.EarlierRuns,
                Pauses = pauses.Gaps,
                Events = events?.Seen,
            });
            var progress = Progress ?? (IProgress<SessionProgress>)line;
            var chosen = await new Selection(setup, record, launcher, progress).RunAsync(cancellationToken);
            var rounds = new RoundRunner(chosen, record, launcher, hygiene, lab.Terminal.Clock);
            await new Session(chosen, record, rounds, progress, blocks).RunAsync(cancellationToken);
        }
        catch (OperationCanceledException) when (TellsInterruption)
        {
            line.Clear();
            lab.Terminal.Say($"interrupted: what was measured is in {folder.Samples}; go on with {HowToGoOn(folder)}");
            throw;
        }
        finally
        {
            line.Clear();
        }
    }

    // `measure` keeps its plan elsewhere: the same command again goes on.
    private string HowToGoOn(SessionFolder folder) =>
        File.Exists(folder.Plan) ? $"`{Resuming(folder, lab.Terminal)}`" : "the same command";

    /// <summary>The command that goes on with a session of `run`.</summary>
    public static string Resuming(SessionFolder folder, Terminal terminal) =>
        $"./perf-lab run --resume {ShellWord.Of(Path.GetRelativePath(terminal.WorkingFolder, folder.Folder))}";

    /// <summary>Null when the journal there is complete.</summary>
    private JournalWriter? Open(SessionFolder folder, SessionHeader header, out SessionRecord record)
    {
        if (!File.Exists(folder.Samples))
        {
            return Started(JournalWriter.Create(folder.Samples), journal => SessionRecord.Start(journal, header), out record);
        }

        var contents = JournalReader.Read(CompareStep.ReadBytes(folder.Samples));
        if (contents.Samples is not { } soFar)
        {
            throw new LabException($"resuming {folder.Samples}",
                contents.Damage!, "start a new session; records after the damage are not used");
        }

        if (soFar.Complete && Resumption.OtherWork(soFar.Header, header) is null)
        {
            record = null!;
            return null;
        }

        if (Resumption.ReasonNotTo(soFar, contents.BootIds, header) is { } reason)
        {
            throw new LabException(
                $"resuming {folder.Samples}", reason, "start a new session: base and head are never compared across such a change");
        }

        return Started(JournalWriter.Reopen(folder.Samples, contents),
            journal => SessionRecord.Resume(journal, soFar, Resumption.BootId(header), header.Started), out record);
    }

    /// <summary>Writes the first record; a journal that can't take it is closed again.</summary>
    private static JournalWriter Started(JournalWriter journal, Func<JournalWriter, SessionRecord> start, out SessionRecord record)
    {
        try
        {
            record = start(journal);
            return journal;
        }
        catch
        {
            journal.Dispose();
            throw;
        }
    }
}
