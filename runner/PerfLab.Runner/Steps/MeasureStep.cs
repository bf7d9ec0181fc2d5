using System.Text.Json.Nodes;
using PerfLab.Core.Journal;
using PerfLab.Core.Measurements;
using PerfLab.Core.Planning;
using PerfLab.Runner.Commands;
using PerfLab.Runner.Execution;
using PerfLab.Runner.Machine;

namespace PerfLab.Runner.Steps;

/// <summary>Plan + builds -> journal. A journal that is already there is gone on with, when it is of the same plan, builds and boot.</summary>
internal sealed class MeasureStep(Lab lab, ILauncher launcher)
{
    public async Task RunAsync(RunPlan plan, ArmBuilds built, SessionFolder folder, CancellationToken cancellationToken)
    {
        var builds = SameIl.Hold(plan, built);
        var machine = await FingerprintAsync(cancellationToken);
        var header = new SessionHeader
        {
            Session = folder.Id,
            Plan = plan.Hash,
            Seed = plan.Seed,
            SameIl = plan.SameIl,
            Started = lab.Terminal.Clock.GetUtcNow(),
            Executor = launcher.Executor,
            Machine = machine,
            Policy = plan.Policy,
            Cells = builds.ToCells(plan),
        };
        await launcher.PrepareAsync([.. builds.Builds], cancellationToken);
        using var journal = Open(folder, header, out var record);
        if (journal is null)
        {
            lab.Terminal.Say($"{folder.Samples} is complete: nothing left to measure");
            return;
        }

        var setup = new SessionSetup { Plan = plan, Builds = builds, Header = header };
        var progress = new ProgressLine(lab.Terminal);
        lab.Terminal.Say(DryRun.Summary(plan));
        try
        {
            var rounds = new RoundRunner(setup, record, launcher, new HygieneWatch(new MachineFiles(), lab.Terminal.Clock, HygienePolicy.Any), lab.Terminal.Clock);
            await new Session(setup, record, rounds, progress).RunAsync(cancellationToken);
        }
        catch (OperationCanceledException)
        {
            progress.Clear();
            lab.Terminal.Say($"interrupted: what was measured is in {folder.Samples}; go on with `./perf-lab run --resume {Path.GetRelativePath(lab.Terminal.WorkingFolder, folder.Folder)}`");
            throw;
        }
        finally
        {
            progress.Clear();
        }
    }

    private async Task<JsonObject> FingerprintAsync(CancellationToken cancellationToken)
    {
        var executor = await launcher.DescribeAsync(cancellationToken);
        return MachineFacts.Read(new MachineFiles(), lab.Terminal.Clock, DiskSpace.Of(lab.Config.Store), executor);
    }

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
            throw new LabException($"resuming {folder.Samples}", contents.Damage!, "start a new session; nothing after that record can be believed");
        }

        if (soFar.Complete)
        {
            record = null!;
            return null;
        }

        if (Resumption.ReasonNotTo(soFar, contents.BootIds, header) is { } reason)
        {
            throw new LabException($"resuming {folder.Samples}", reason, "start a new session: base and head are never compared across such a change");
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
