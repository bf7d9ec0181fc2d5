using System.CommandLine;
using System.CommandLine.Help;
using System.Text.RegularExpressions;
using PerfLab.Core.Model;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>docs/cli.md and the program name the same commands, options and exit codes.</summary>
public sealed partial class CommandLinePageTests
{
    private const string Write = "PERF_LAB_WRITE=1 dotnet run --project tests/PerfLab.Runner.Tests -c Release -- -class '*CommandLinePageTests'";
    private const string Begin = "<!-- written by CommandLinePageTests with PERF_LAB_WRITE=1 -->\n```\n";
    private const string EveryCommand = "every command";
    private const int NameWidth = 17;
    private const int LineWidth = 120;

    private static readonly string Page = Repository.Read("docs/cli.md");

    [Fact]
    public void the_page_lists_the_options_of_every_command_and_no_others()
    {
        var from = Page.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        var to = Page.IndexOf("```", Math.Max(from, Begin.Length), StringComparison.Ordinal);
        (from > Begin.Length && to > from).ShouldBeTrue("docs/cli.md has no block of options below its comment");
        var options = string.Concat(Commands(BothPrograms.Root(), "").OrderBy(command => command.Name != EveryCommand)
            .ThenBy(command => command.Name, StringComparer.Ordinal).Select(command => Line(command.Name, command.Options)));
        if (Environment.GetEnvironmentVariable("PERF_LAB_WRITE") == "1")
        {
            File.WriteAllText(Path.Combine(Repository.Root, "docs", "cli.md"), Page[..from] + options + Page[to..]);
            return;
        }

        Page[from..to].ShouldBe(options, $"An option came or went. When that was meant, write the block again:\n{Write}");
    }

    [Fact]
    public void every_option_that_the_page_speaks_of_exists()
    {
        var known = Commands(BothPrograms.Root(), "").SelectMany(pair => pair.Options).Append("--help").ToHashSet();
        Option().Matches(Page).Select(option => option.Value).Where(option => !known.Contains(option)).ShouldBeEmpty();
    }

    [Fact]
    public void the_page_lists_every_exit_code()
    {
        var codes = typeof(ExitCode).GetFields().Select(field => (int)field.GetRawConstantValue()!);
        Page.Split("## Exit codes")[1].Split('\n').Select(line => Code().Match(line)).Where(row => row.Success)
            .Select(row => int.Parse(row.Groups["code"].Value, System.Globalization.CultureInfo.InvariantCulture)).ShouldBe(codes);
    }

    /// <summary>A command and its options, in lines that no screen breaks.</summary>
    private static string Line(string command, IEnumerable<string> options)
    {
        var lines = new List<string> { command.PadRight(NameWidth - 1) };
        foreach (var option in options.Order(StringComparer.Ordinal))
        {
            if (lines[^1].Length + 1 + option.Length > LineWidth)
            {
                lines.Add(new string(' ', NameWidth - 1));
            }

            lines[^1] += " " + option;
        }

        return string.Concat(lines.Select(line => line.TrimEnd() + "\n"));
    }

    /// <summary>The commands that do something, with their options; those of all commands stand under <see cref="EveryCommand"/>.</summary>
    private static IEnumerable<(string Name, IReadOnlyList<string> Options)> Commands(Command command, string above)
    {
        var name = command is RootCommand ? EveryCommand : (above + " " + command.Name).Trim();
        if (command is RootCommand || command.Action is not null)
        {
            yield return (name, [.. command.Options.Where(option => option is not HelpOption and not VersionOption && !option.Hidden).Select(option => option.Name)]);
        }

        foreach (var found in command.Subcommands.SelectMany(below => Commands(below, command is RootCommand ? "" : name)))
        {
            yield return found;
        }
    }

    [GeneratedRegex("(?<![a-z-])--[a-z][a-z-]*", RegexOptions.None, 1000)]
    private static partial Regex Option();

    [GeneratedRegex(@"^\| (?<code>[0-9]+) \|", RegexOptions.None, 1000)]
    private static partial Regex Code();
}
