using System.CommandLine;
using PerfLab.Core.Model;

namespace PerfLab.Programs;

/// <summary>From arguments to an exit code, in the same way for every program of the lab.</summary>
public static class Invocation
{
    private static readonly Option<bool> Verbose = new("--verbose") { Description = "On an error, add the stack trace.", Recursive = true };

    /// <summary>The root over these commands, with what all of them have: `--help` with examples, `--verbose`.</summary>
    public static RootCommand Root(string description, Terminal terminal, params Command[] commands)
    {
        var root = new RootCommand(description) { Verbose };
        foreach (var command in commands)
        {
            root.Add(command);
        }

        Examples.ShowIn(root, terminal);
        return root;
    }

    /// <summary>Runs the command that the arguments name. Errors are told on the terminal, and are the exit code.</summary>
    /// <param name="root">As <see cref="Root"/> makes it.</param>
    /// <param name="whatNow">Of a command and an option that it does not have: what to type instead, or null.</param>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public static async Task<int> RunAsync(
        RootCommand root, string[] arguments, Terminal terminal, Func<string, string, string?> whatNow, CancellationToken cancellationToken)
    {
        // Whoever only types the name wants to know what it can do.
        var parsed = root.Parse(arguments.Length == 0 ? ["--help"] : arguments);
        // A shell asks with a line that is not finished yet.
        var isAsked = arguments.Length > 0 && arguments[0].StartsWith("[suggest", StringComparison.Ordinal);
        IReadOnlyList<string> problems = isAsked ? [] : UsageProblems.Of(parsed, whatNow);
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

    /// <summary>Tells an error on the terminal, with what to do about it.</summary>
    /// <returns>The exit code that it is.</returns>
    public static int Explain(Exception exception, Terminal terminal, bool verbose)
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
}
