using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace PerfLab.Programs;

/// <summary>Commands whose own `--help` ends with examples; the list of commands stays one line each.</summary>
public static class Examples
{
    /// <summary>A command that shows these lines below its options.</summary>
    public static Command Command(string name, string description, IReadOnlyList<string> examples) => new CommandWithExamples(name, description, examples);

    /// <summary>Adds options and arguments.</summary>
    public static Command With(this Command command, params Symbol[] symbols)
    {
        foreach (var symbol in symbols)
        {
            switch (symbol)
            {
                case Option option:
                    command.Add(option);
                    break;
                case Argument argument:
                    command.Add(argument);
                    break;
                default:
                    throw new ArgumentException($"{symbol.Name} is neither an option nor an argument", nameof(symbols));
            }
        }

        return command;
    }

    /// <summary>Makes `--help` of the root and of every command below it ours.</summary>
    public static void ShowIn(RootCommand root, Terminal terminal)
    {
        var help = root.Options.OfType<HelpOption>().Single();
        help.Aliases.Remove("/h");
        help.Aliases.Remove("/?");
        help.Action = new HelpWithExamples((HelpAction)help.Action!, terminal);
    }

    private sealed class CommandWithExamples(string name, string description, IReadOnlyList<string> examples) : Command(name, description)
    {
        public IReadOnlyList<string> Lines { get; } = examples;
    }

    private sealed class HelpWithExamples(HelpAction standard, Terminal terminal) : SynchronousCommandLineAction
    {
        public override int Invoke(ParseResult parseResult)
        {
            var code = Usage(parseResult);
            if (parseResult.CommandResult.Command is CommandWithExamples command)
            {
                terminal.Out.WriteLine("Examples:");
                foreach (var line in command.Lines)
                {
                    terminal.Out.WriteLine(terminal.InTheirWords($"  {line}"));
                }
            }

            return code;
        }

        // The library names the file of the program, which nobody types.
        private int Usage(ParseResult parseResult)
        {
            using var text = new StringWriter();
            parseResult.InvocationConfiguration.Output = text;
            var code = standard.Invoke(parseResult);
            parseResult.InvocationConfiguration.Output = terminal.Out;
            terminal.Out.Write(text.ToString().Replace($"  {parseResult.RootCommandResult.Command.Name} ", "  perf-lab "));
            return code;
        }
    }
}
