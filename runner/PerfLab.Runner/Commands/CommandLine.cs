using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Runner.Bisecting;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Commands.Power;
using PerfLab.Runner.Commands.Trends;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Commands;

/// <summary>From arguments to an exit code; the whole program as a function that tests call.</summary>
internal static class CommandLine
{
    private static readonly Option<bool> Verbose = new("--verbose") { Description = "On an error, add the stack trace.", Recursive = true };

    public static async Task<int> InvokeAsync(string[] arguments, Terminal terminal, CancellationToken cancellationToken)
    {
        var root = Create(terminal);
        // Whoever only types the name wants to know what it can do.
        var parsed = root.Parse(arguments.Length == 0 ? ["--help"] : arguments);
        // A shell asks with a line that is not finished yet.
        var isAsked = arguments.Length > 0 && arguments[0].StartsWith("[suggest", StringComparison.Ordinal);
        IReadOnlyList<string> problems = isAsked ? [] : UsageProblems.Of(parsed);
        if (problems.Count > 0 && arguments.Length > 0 && (!AsksForHelp(arguments) || UsageProblems.WrongCommand(parsed) is not null))
        {
            return WrongUse(problems, parsed.CommandResult.Command, root, terminal);
        }

        try
        {
            LabRoot.MustExist(terminal.Root);
            var configuration = new InvocationConfiguration
            {
                Output = terminal.Out,
                Error = terminal.Error,
                EnableDefaultExceptionHandler = false,
                ProcessTerminationTimeout = null,
            };
            return await parsed.InvokeAsync(configuration, cancellationToken);
        }
        catch (Exception exception)
        {
            return Explain(exception, terminal, parsed.GetValue(Verbose));
        }
    }

    /// <summary>Every command and option.</summary>
    internal static RootCommand Create(Terminal terminal)
    {
        var root = new RootCommand("perf-lab: did this change make it slower, in which combination, by how much, and how sure are we?")
        {
            Verbose,
            DemoCommand.Create(terminal), ListCommand.Create(terminal), RunCommand.Create(terminal),
            PlanCommand.Create(terminal), BuildCommand.Create(terminal), MeasureCommand.Create(terminal),
            CompareCommand.Create(terminal), ReportCommand.Create(terminal), VerifyCommand.Create(terminal), ExplainCommand.Create(terminal),
            BisectCommand.Create(terminal),
            DiffCommand.Create(terminal), JitCommand.Create(terminal), HistoryCommand.Create(terminal), TrendCommand.Create(terminal), SiteCommand.Create(terminal),
            DoctorCommand.Create(terminal), LabCommand.Create(terminal), CleanCommand.Create(terminal),
            ImportCommand.Create(terminal), McpCommand.Create(terminal), NewCommand.Create(terminal), InitCommand.Create(terminal),
            TestCommand.Create(), CompletionCommand.Create(terminal),
        };
        Examples.ShowIn(root, terminal);
        return root;
    }

    private static int WrongUse(IReadOnlyList<string> problems, Command command, RootCommand root, Terminal terminal)
    {
        foreach (var problem in problems)
        {
            terminal.Say($"perf-lab: {problem}");
        }

        terminal.Say($"See `./perf-lab {Path(command, root)}--help`.");
        return ExitCode.WrongUse;
    }

    /// <summary>Help is given although a required argument is missing: that is why people ask.</summary>
    private static bool AsksForHelp(string[] arguments) => arguments.Any(argument => argument is "--help" or "-h" or "-?");

    /// <summary>"lab start " for a command below another, "" for the root.</summary>
    private static string Path(Command command, RootCommand root) =>
        command == root ? "" : Path(command.Parents.OfType<Command>().FirstOrDefault() ?? root, root) + command.Name + " ";

    private static int Explain(Exception exception, Terminal terminal, bool verbose)
    {
        switch (exception)
        {
            case WrongUseException wrong:
                foreach (var problem in wrong.Problems)
                {
                    terminal.Say($"perf-lab: {problem}");
                }

                return ExitCode.WrongUse;
            case OperationCanceledException:
                terminal.Say("perf-lab: interrupted.");
                return ExitCode.Interrupted;
            case LabException lab:
                terminal.Say($"perf-lab: {lab.Tried}\n  came back: {lab.CameBack}\n  to do:     {lab.DoNext}");
                break;
            case JournalException journal:
                terminal.Say(
                    $"perf-lab: writing the journal\n  came back: {journal.Message}\n"
                    + "  to do:     free some space (`./perf-lab clean` removes builds, images and checkouts), then `--resume` the session: what was synced is kept");
                break;
            case IOException or UnauthorizedAccessException:
                terminal.Say(
                    $"perf-lab: reading or writing a file\n  came back: {exception.Message}\n"
                    + "  to do:     free space or give access, then run again; a session that had begun goes on with `./perf-lab run --resume DIR`");
                break;
            default:
                terminal.Say($"perf-lab: unexpected {exception.GetType().Name}\n  came back: {exception.Message}\n  to do:     run again with --verbose and report it");
                break;
        }

        if (verbose)
        {
            terminal.Say(exception.ToString());
        }

        return ExitCode.Failed;
    }
}
