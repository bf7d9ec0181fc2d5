using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

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

    public static void ShowIn(RootCommand root)
    {
        var help = root.Options.OfType<HelpOption>().Single();
        help.Action = new HelpWithExamples((HelpAction)help.Action!);
    }

    private sealed class CommandWithExamples(string name, string description, IReadOnlyList<string> examples) : Command(name, description)
    {
        public IReadOnlyList<string> Lines { get; } = examples;
    }

    private sealed class HelpWithExamples(HelpAction standard) : SynchronousCommandLineAction
    {
        public override int Invoke(ParseResult parseResult)
        {
            var code = standard.Invoke(parseResult);
            if (parseResult.CommandResult.Command is CommandWithExamples command)
            {
                parseResult.InvocationConfiguration.Output.WriteLine("Examples:");
                foreach (var line in command.Lines)
                {
                    parseResult.InvocationConfiguration.Output.WriteLine($"  {line}");
                }
            }

            return code;
        }
    }
}
