using System.CommandLine;
using System.CommandLine.Help;
using System.Text.RegularExpressions;
using PerfLab.Core.Model;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Runner.Commands;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>docs/cli.md and the program name the same commands, options and exit codes.</summary>
public sealed partial class CommandLinePageTests
{
    private static readonly string Page = Repository.Read("docs/cli.md");

    [Fact]
    public void the_page_lists_the_options_of_every_command_and_no_others()
    {
        var program = Commands(Root(), "").ToDictionary(pair => pair.Name, pair => pair.Options);
        var rows = Page.Split('\n').SkipWhile(line => line != "## Every option").Select(line => Row().Match(line)).Where(row => row.Success && row.Groups["command"].Value != "command")
            .ToDictionary(row => row.Groups["command"].Value, row => Option().Matches(row.Groups["options"].Value).Select(option => option.Value));
        rows.Keys.ShouldBe(program.Keys, ignoreOrder: true);
        foreach (var (command, options) in rows)
        {
            options.ShouldBe(program[command], ignoreOrder: true, customMessage: command);
        }
    }

    [Fact]
    public void every_option_that_the_page_speaks_of_exists()
    {
        var known = Commands(Root(), "").SelectMany(pair => pair.Options).Append("--help").ToHashSet();
        Option().Matches(Page).Select(option => option.Value).Where(option => !known.Contains(option)).ShouldBeEmpty();
    }

    [Fact]
    public void the_page_lists_every_exit_code()
    {
        var codes = typeof(ExitCode).GetFields().Select(field => (int)field.GetRawConstantValue()!);
        Page.Split("## Exit codes")[1].Split('\n').Select(line => Code().Match(line)).Where(row => row.Success)
            .Select(row => int.Parse(row.Groups["code"].Value, System.Globalization.CultureInfo.InvariantCulture)).ShouldBe(codes);
    }

    private static RootCommand Root() => CommandLine.Create(new Terminal { Out = TextWriter.Null, Error = TextWriter.Null, Root = "/", WorkingFolder = "/" });

    /// <summary>The commands that do something, with their options; those of all commands stand under "every command".</summary>
    private static IEnumerable<(string Name, IReadOnlyList<string> Options)> Commands(Command command, string above)
    {
        var name = command is RootCommand ? "every command" : (above + " " + command.Name).Trim();
        if (command is RootCommand || command.Subcommands.Count == 0)
        {
            yield return (name, [.. command.Options.Where(option => option is not HelpOption and not VersionOption).Select(option => option.Name)]);
        }

        foreach (var found in command.Subcommands.SelectMany(below => Commands(below, command is RootCommand ? "" : name)))
        {
            yield return found;
        }
    }

    [GeneratedRegex(@"^\| `?(?<command>[a-z ]+?)`? \| (?<options>.*) \|$", RegexOptions.None, 1000)]
    private static partial Regex Row();

    [GeneratedRegex("(?<![a-z-])--[a-z][a-z-]*", RegexOptions.None, 1000)]
    private static partial Regex Option();

    [GeneratedRegex(@"^\| (?<code>[0-9]+) \|", RegexOptions.None, 1000)]
    private static partial Regex Code();
}
