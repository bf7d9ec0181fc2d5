using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Commands.Options;

/// <summary>Commands whose own `--help` ends with examples; the list of commands stays one line each.</summary>
internal static class Examples
{
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
            var code = standard.Invoke(parseResult);
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
    }
}
