using System.CommandLine;
using System.Text.RegularExpressions;
using PerfLab.Core.Files;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Programs;
using PerfLab.Runner.Tests.Commands;

namespace PerfLab.Runner.Tests.Documented;

/// <summary>A command line of perf-lab as a page or a `--help` shows it.</summary>
/// <param name="Place">The page, or the command whose help it is.</param>
/// <param name="Line">Of the page.</param>
/// <param name="Text">What follows the program's name, up to a comment, a pipe or a redirection.</param>
/// <param name="IsInSentence">Between backticks: it may be spoken of without what it needs, as `perf-lab lab stop`.</param>
/// <param name="IsPart">Without the program's name, as `run --explain`, or with words to fill in, as `explain SESSION`.</param>
internal sealed partial record DocumentedCommand(string Place, int? Line, string Text, bool IsInSentence, bool IsPart)
{
    /// <summary>Pages of what was: decisions, changes, and what was printed then. GitHub's side has commands of its own.</summary>
    private static readonly string[] OtherPages = ["docs/decisions/", "results/", "tests/", "CHANGELOG.md", ".github/"];

    /// <summary>Every command: "history", "history list".</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Below(BothPrograms.Root(), "")];

    /// <summary>Of every page that tells somebody what to type, and of every `--help`.</summary>
    public static IReadOnlyList<DocumentedCommand> All { get; } =
    [
        .. Repository.Pages.Where(page => !OtherPages.Any(other => page.StartsWith(other, StringComparison.Ordinal))).SelectMany(OfPage),
        .. Names.SelectMany(OfHelp),
    ];

    /// <summary>As the shell gives them to the program, but for globs. "…" stands for anything, so it is left out.</summary>
    public string[] Words { get; } = Split(Text);

    public override string ToString() => $"{Place}:{Line} perf-lab {Text}";

    /// <summary>True when each of these words is one of its own.</summary>
    public bool Has(string words) => words.Split(' ').All(word => Words.Contains(word, StringComparer.Ordinal));

    /// <param name="path">From the root of the repository.</param>
    private static IEnumerable<DocumentedCommand> OfPage(string path) => Of(path, Repository.Read(path));

    /// <summary>Whole lines of fenced blocks, and what stands between backticks elsewhere.</summary>
    public static IEnumerable<DocumentedCommand> Of(string page, string text)
    {
        var (isCode, number) = (false, 0);
        foreach (var line in text.Split('\n'))
        {
            number++;
            if (line.TrimStart().StartsWith("```", StringComparison.Ordinal))
            {
                isCode = !isCode;
                continue;
            }

            string[] codes = isCode ? [line] : [.. Ticks().Matches(line).Select(match => match.Groups["code"].Value)];
            foreach (var code in codes)
            {
                if (Typed().Match(code) is { Success: true } typed)
                {
                    yield return new(page, number, typed.Groups["text"].Value.Trim(), !isCode, !isCode && ToFillIn().IsMatch(code));
                }
                else if (!isCode && Spoken().IsMatch(code) && Names.Contains(code.Split(' ')[0]))
                {
                    yield return new(page, number, code, IsInSentence: true, IsPart: true);
                }
            }
        }
    }

    /// <summary>Of what `--help` shows of a command, its examples.</summary>
    private static IEnumerable<DocumentedCommand> OfHelp(string command)
    {
        using var output = new StringWriter();
        var terminal = new Terminal { Out = output, Error = output, Root = "/", WorkingFolder = "/" };
        BothPrograms.InvokeAsync([.. command.Split(' '), "--help"], terminal, CancellationToken.None).GetAwaiter().GetResult();
        return output.ToString().Split('\n').SkipWhile(line => line != "Examples:").Select(line => Typed().Match(line))
            .Where(typed => typed.Success)
            .Select(typed => new DocumentedCommand($"{command} --help", null, typed.Groups["text"].Value.Trim(), false, false));
    }

    private static IEnumerable<string> Below(Command command, string path) =>
        command.Subcommands.SelectMany(below => Below(below, $"{path} {below.Name}".Trim()).Prepend($"{path} {below.Name}".Trim()));

    private static string[] Split(string text)
    {
        var problems = new List<Problem>();
        var words = CommandWords.Split("documented", text, problems);
        problems.ShouldBeEmpty(text);
        return [.. words!.Where(word => word != "…").Select(word => word.TrimEnd('…'))];
    }

    // After what a shell may have before it, and without what it has behind it. Quoted text may hold anything.
    [GeneratedRegex(
        """
        ^\s*([^`]*?(&&|\||\$\()\s*)?([A-Z_]+=\S+[ ])?(\./|\.\./perf-lab/)?perf-lab[ ]+
        (?<text>[a-z]([^'"\#|&<>)]|(?<![ ])\#|'[^']*'|"[^"]*")*)
        """, RegexOptions.ExplicitCapture | RegexOptions.IgnorePatternWhitespace, 1000)]
    private static partial Regex Typed();

    [GeneratedRegex(@"^[a-z]+ [^=|[\\]+$", RegexOptions.None, 1000)]
    private static partial Regex Spoken();

    [GeneratedRegex("…| [A-Z]{2,}", RegexOptions.None, 1000)]
    private static partial Regex ToFillIn();

    [GeneratedRegex("`(?<code>[^`\n]+)`", RegexOptions.None, 1000)]
    private static partial Regex Ticks();
}
