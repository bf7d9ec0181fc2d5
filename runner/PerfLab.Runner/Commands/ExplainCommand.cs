using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Profiles;
using PerfLab.Programs;
using PerfLab.Reports.Why;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Launching;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Afterwards;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Commands;

/// <summary>`explain`: why a row of a session moved, from traced launches of both arms.</summary>
internal static class ExplainCommand
{
    public static Command Create(Terminal terminal)
    {
        var session = new Argument<string>("session") { Description = "A session's folder, as `run` printed it, or a probe's of `bisect`." };
        var cells = new Argument<string[]>("cell")
        {
            Description = "Cells by id (c001); without any, what regressed or improved.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        var executor = ExecutorOption.Create();
        var wait = WaitOption.ForTheLock();
        var format = new Option<string>("--format") { Description = "text, markdown or json.", DefaultValueFactory = _ => "text" };
        format.AcceptOnlyFromAmong("text", "markdown", "json");
        var command = Examples.Command(
            "explain", "Why a row moved: which methods and counters differ between base and head beyond chance.",
            ["./perf-lab explain .perf-lab/sessions/20261122-124951-37b2",
                "./perf-lab explain .perf-lab/sessions/20261122-124951-37b2 c003 --format markdown",
                "./perf-lab explain .perf-lab/bisects/20261122-124951-37b2/probe-004"])
            .With(session, cells, executor, wait, format);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = Lab.Open(terminal);
            using var folder = SessionFolder.OpenBegun(Path.GetFullPath(Path.Combine(terminal.WorkingFolder, parsed.GetValue(session)!)));
            var plan = PlanStep.Read(folder.Plan);
            var builds = BuildsFile.Read(folder.Builds, plan);
            var asked = Asked(plan, folder, parsed.GetValue(cells) ?? []);
            if (asked.Count == 0)
            {
                terminal.Say("nothing regressed or improved in this session: name a cell (c001) to compare its profiles all the same");
                return ExitCode.Done;
            }

            var takes = Invariant($"explaining {asked.Count} rows, {2 * ProfileComparison.Rounds} launches each");
            using var machine = await MachineLock.TakeAsync(
                terminal.MachineLock, MachineLock.HolderNow(terminal.Clock, takes), new(terminal, parsed.GetValue(wait)), cancellationToken);
            await using var launcher = await lab.Executors.ChooseAsync(parsed.GetValue(executor)!, plan, cancellationToken);
            var explanation = await new ExplainStep(lab, launcher).RunAsync(
                plan, builds, asked, folder.Folder, cancellationToken);
            var all = explanation.After(Earlier(folder));
            SessionFolder.WriteWhole(folder.Explanation, Explanation.File.Write(all));
            IntoReports(terminal, folder, launcher, plan, all);
            terminal.Out.Write(parsed.GetValue(format) switch
            {
                "json" => Explanation.File.Write(explanation),
                "markdown" => ExplanationText.Markdown(explanation),
                _ => ExplanationText.Plain(explanation),
            });
            var written = Path.GetRelativePath(terminal.WorkingFolder, folder.Folder);
            var reports = File.Exists(folder.Comparison) ? "report.html and report.md with it; and" : "and the";
            terminal.Say($"files: {written}/ ({string.Join(", ", folder.WhyFiles)}; {reports} .folded stacks of both arms for other tools)");
            return explanation.Rows.All(row => row.Rounds >= ProfileComparison.LeastRounds) ? ExitCode.Done : ExitCode.Failed;
        });
        return command;
    }

    /// <summary>A session that has ended says it wherever people look: in its comparison, its report and its page.</summary>
    private static void IntoReports(Terminal terminal, SessionFolder folder, ILauncher launcher, RunPlan plan, Explanation explanation)
    {
        if (!File.Exists(folder.Comparison))
        {
            return;
        }

        var comparison = ExplainedComparison.With(ReportStep.Read(folder.Comparison), explanation);
        var samples = CompareStep.Read(folder.Samples);
        var known = JournalContext.Of(terminal, samples, plan);
        FinishStep.Write(folder.Folder, comparison, samples.Header.Executor != launcher.Executor ? known
            : known with { ExecutorWarnings = [.. launcher.Warnings, .. known.ExecutorWarnings] });
    }

    /// <summary>What was explained before; null when nothing was, or nobody can read it any more.</summary>
    private static Explanation? Earlier(SessionFolder folder) =>
        new FileInfo(folder.Explanation) is { Exists: true, LinkTarget: null } file && file.Length <= Explanation.File.MostBytes
            ? Explanation.File.Read(File.ReadAllBytes(folder.Explanation)).Value : null;

    /// <summary>(cell, arm) of the rows that were named, or of those that moved.</summary>
    private static IReadOnlyList<(string Cell, string Arm)> Asked(RunPlan plan, SessionFolder folder, string[] cells)
    {
        WrongUseException.ThrowIfAny([.. cells.Where(cell => plan.Cells.All(known => known.Id != cell))
            .Select(cell => new Problem("cell", $"'{cell}' is not in this session.",
                NearestNames.Suggest(cell, plan.Cells.Select(known => known.Id))))]);
        var named = plan.Cells.Where(cell => cells.Contains(cell.Id, StringComparer.Ordinal)).ToList();
        WrongUseException.ThrowIfAny([
            .. named.Where(cell => cell.Arms.Count == 1)
                .Select(cell => new Problem("cell", $"{cell.Id} has one arm, and is compared with nothing.")),
            .. named.Where(cell => cell.Unavailable is not null)
                .Select(cell => new Problem("cell", $"{cell.Id} is unavailable: {cell.Unavailable}")),
        ]);
        if (cells.Length > 0)
        {
            return [.. named
                .SelectMany(cell => cell.Arms.Skip(1).Select(arm => (cell.Id, arm.Id)))];
        }

        return ExplainedComparison.Moved(File.Exists(folder.Comparison) ? ReportStep.Read(folder.Comparison) : Judged(plan, folder));
    }

    /// <summary>Of a session that ended and that nobody wrote a report of: a probe of a search.</summary>
    private static Comparison Judged(RunPlan plan, SessionFolder folder)
    {
        var (samples, comparison) = CompareStep.Run(folder.Samples, plan);
        return samples.Complete ? comparison : throw new LabException($"reading {folder.Samples}", "this session has not ended",
            "let it end (`./perf-lab run --resume DIR`), or name a cell");
    }
}
