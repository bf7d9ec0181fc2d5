using System.CommandLine;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Commands;

/// <summary>`compare SESSION`: the verdicts of any journal, also one made elsewhere.</summary>
internal static class CompareCommand
{
    public static Command Create(Terminal terminal)
    {
        var journal = new Argument<string[]>("session")
        {
            Description = "A session's folder, or its samples.ndjson; - is standard input. Several: the shards of one plan.",
            Arity = ArgumentArity.OneOrMore,
        };
        var plan = new Option<string?>("--plan") { Description = "Take policy, cells and units from this plan, not from the journal.", HelpName = "plan.json" };
        var folder = new Option<string?>("--out")
        {
            Description = "Also write comparison.json, report.md, report.html and pictures into this folder.",
            HelpName = "DIR",
        };
        var output = new OutputOptions();
        var command = Examples.Command(
            "compare", "Compare base with head from a journal, which is never changed.",
            [
                "./perf-lab compare .perf-lab/sessions/20261122-124951-37b2 --fail-on regression",
                "./perf-lab compare shard-1 shard-2 --plan plan.json",
            ]).With(journal, plan, folder);
        output.AddTo(command, withFolder: false);
        command.SetAction(parsed =>
        {
            var read = parsed.GetValue(plan) is { } path
                ? PlanStep.Read(SessionFolder.Locate(terminal, path, SessionFolder.PlanFile)) : null;
            using var ledger = LabLedger.ToRead(terminal);
            IReadOnlyList<string> journals =
                [.. parsed.GetValue(journal)!.Select(named => SessionFolder.Locate(terminal, named, SessionFolder.Journal))];
            read ??= journals.Count > 1 ? PlanOfAll(journals) : null;
            var (samples, compared) = journals.Count == 1
                ? CompareStep.Run(journals[0], read, ledger) : CompareStep.Run(journals, read!, ledger);
            var comparison = ledger.WithKnown(samples.Header, compared);
            var settings = output.Read(parsed, withFolder: false);
            // Judged by what was named alone; a plan beside the journal only says what to type.
            var known = read ?? JournalContext.PlanBeside(journals[0], samples);
            var context = JournalContext.Of(terminal, samples, known);
            ReportStep.Print(terminal, comparison, context, settings);
            if (parsed.GetValue(folder) is { } named)
            {
                FinishStep.Write(Directory.CreateDirectory(Path.Combine(terminal.WorkingFolder, named)).FullName, comparison, context);
            }

            FinishStep.WarnOfDirection(terminal, comparison, settings.FailOn);
            return Verdicts.ExitCodeOf(comparison, samples, settings.FailOn);
        });
        return command;
    }

    /// <summary>The plan beside the first of several journals, when all of them are its shards.</summary>
    private static RunPlan PlanOfAll(IReadOnlyList<string> journals)
    {
        // One that is damaged names no plan, and is told when the others are judged; standard input can be read once.
        var plans = journals.Where(File.Exists).Select(journal => JournalReader.Read(CompareStep.ReadBytes(journal)).Samples?.Header.Plan)
            .OfType<string>().ToHashSet(StringComparer.Ordinal);
        if (plans.Count > 1)
        {
            throw new WrongUseException([new("session", "these are sessions of different plans, and no session is compared with another: "
                + "base and head are measured in turns, in one.", "Measure both in one: ./perf-lab run TARGET --base … --head …")]);
        }

        var beside = JournalContext.PlanIn(Path.GetDirectoryName(Path.GetFullPath(journals[0]))!);
        return beside is not null && plans.Contains(beside.Hash) ? beside
            : throw new WrongUseException([new("--plan", "is missing: only the plan says which shards there are.")]);
    }
}
