using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.History;
using PerfLab.Programs;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;

namespace PerfLab.Runner.Commits;

/// <summary>`history`: what sessions said, kept beyond their folders.</summary>
internal static class HistoryCommand
{
    public static Command Create(Terminal terminal)
    {
        var history = Examples.Command("history", "The results of sessions, kept in a file or on a PostgreSQL server.",
            ["./perf-lab history list"]);
        foreach (var command in new[] {
            HistoryImportCommand.Create(terminal), Export(terminal), List(terminal), ReplayCommand.Create(terminal), Prune(terminal),
            AcceptCommand.Create(terminal) })
        {
            history.Add(command);
        }

        return history;
    }

    private static Command Export(Terminal terminal)
    {
        var folder = new Argument<string>("folder")
        {
            Description = "Gets a journal a session, and what is known of the trend; what is there already is passed over.",
        };
        var command = Examples.Command(
            "export", "Write the history as files, byte for byte the same each time: for another machine, or a branch of a repository.",
                ["./perf-lab history export lab-data"]).With(folder);
        command.SetAction(parsed =>
        {
            using var store = LabHistory.Open(Lab.Open(terminal).Config);
            var written = Bundle.Export(store, Path.Combine(terminal.WorkingFolder, parsed.GetValue(folder)!));
            terminal.Out.WriteLine(Invariant($"{written} sessions written"));
            return ExitCode.Done;
        });
        return command;
    }

    private static Command List(Terminal terminal)
    {
        var json = new Option<bool>("--json") { Description = "One line of JSON a session." };
        var command = Examples.Command("list", "Every session that is kept, the oldest first.", ["./perf-lab history list"]).With(json);
        command.SetAction(parsed =>
        {
            using var store = LabHistory.Open(Lab.Open(terminal).Config);
            foreach (var session in store.List())
            {
                terminal.Out.WriteLine(parsed.GetValue(json) ? HistoryLine.File.Write(HistoryLine.Of(session)).TrimEnd('\n')
                    : Shown(session));
            }

            return ExitCode.Done;
        });
        return command;
    }

    private static Command Prune(Terminal terminal)
    {
        var keep = new Option<string>("--keep")
        {
            Description = "The newest N sessions, or those of the last N days.",
            HelpName = "N|Nd",
            Required = true,
        };
        var command = Examples.Command(
            "prune", "Remove old sessions. What was exported, and the sessions' own folders, stay.",
                ["./perf-lab history prune --keep 365d", "./perf-lab history prune --keep 500"]).With(keep);
        command.SetAction(parsed =>
        {
            var text = parsed.GetValue(keep)!;
            var isDays = text.EndsWith('d');
            if (!int.TryParse(isDays ? text[..^1] : text, NumberStyles.None, CultureInfo.InvariantCulture, out var count)
                || count > 100_000)
            {
                throw new WrongUseException(
                    [new("--keep", $"'{UntrustedText.Line(text)}' is neither a number of sessions nor of days.",
                    "Example: --keep 500, --keep 365d")]);
            }

            if (count == 0)
            {
                throw new WrongUseException(
                    [new("--keep", $"'{text}' keeps no session at all.",
                    "To forget everything, remove the history itself: .perf-lab/history.db, or what `history` in perf-lab.yaml names")]);
            }

            using var store = LabHistory.Open(Lab.Open(terminal).Config);
            var removed = isDays ? store.PruneBefore(terminal.Clock.GetUtcNow().AddDays(-count)) : store.PruneTo(count);
            terminal.Out.WriteLine(Invariant($"{Counted.Of(removed, "session")} removed, {store.List().Count} kept"));
            return ExitCode.Done;
        });
        return command;
    }

    /// <summary>Names come from journals, which may come from anywhere.</summary>
    private static string Shown(SessionLine session)
    {
        var notes = $"{(session.Complete ? "" : "  cut")}{(session.IsFlagged ? "  flagged" : "")}";
        var (id, where) = (UntrustedText.Line(session.Id), $"{UntrustedText.Line(session.Executor)}, {UntrustedText.Line(session.Cpu)}");
        return Invariant($"{session.Started.UtcDateTime:yyyy-MM-dd HH:mm}  {Core.Files.Words.Of(session.Kind),-10}  {id,-24}  ")
            + Invariant($"{session.Cells,4} cells {session.Launches,6} launches  {where}{notes}");
    }
}

/// <summary>One line of `history list --json`.</summary>
/// <param name="Session">Its id.</param>
/// <param name="Started">UTC.</param>
/// <param name="Flagged">Whether anything was called regressed or improved.</param>
/// <param name="Hash">SHA-256 of the journal.</param>
public sealed record HistoryLine(
    string Session, DateTimeOffset Started, SessionKind Kind, string Cpu, string Executor, bool Complete, int Cells, int Launches,
    bool Flagged, string Hash)
{
    internal static FileFormat<HistoryLine> File { get; } =
        new("perf-lab/history-line/1", "history list --json: one line a session") { IsLine = true };

    internal static HistoryLine Of(SessionLine line) =>
        new(line.Id, line.Started, line.Kind, line.Cpu, line.Executor, line.Complete, line.Cells, line.Launches, line.IsFlagged, line.Hash);
}
