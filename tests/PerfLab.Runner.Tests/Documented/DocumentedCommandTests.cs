using System.CommandLine;
using System.CommandLine.Parsing;
using System.Text.RegularExpressions;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Tests.Commands;

namespace PerfLab.Runner.Tests.Documented;

/// <summary>
/// Every command line that a page or a `--help` shows works. Each is parsed. Those that take a moment are run; of those that measure for
/// longer, or build first, it is planned what they would measure.
/// </summary>
[Collection("sessions")]
public sealed partial class DocumentedCommandTests(ReadersLab lab) : IClassFixture<ReadersLab>
{
    /// <summary>Words of commands that are parsed and no more, and why.</summary>
    private static readonly (string Words, string Why)[] ParsedOnly =
    [
        ("demo", "measures for minutes"),
        ("test", "the launcher starts these tests with it"),
        ("lab", "switches machines in Azure"),
        ("explain", "launches with the runtime traced"),
        ("measure", "measures: ShardCommandTests, BuildPackTests"),
        ("doctor", "judges the machine that it runs on"),
        ("mcp", "listens until an agent ends it: AgentDoorTests"),
        ("clean", "removes what other tests' engine holds"),
        ("bisect --resume", "goes on with a search: BisectResumeTests"),
        ("build --bases", "makes a base image, which needs a source of Debian packages"),
        ("list knobs --runtime", "launches a program of .NET"),
        ("list bench/", "builds a project"),
        ("list bench/My.Benchmarks.csproj", "builds a project"),
        ("init github", "asks where this checkout was pushed: InitCommandTests"),
        ("plan --complete", "takes what a build listed: OpenPlanTests"),
        ("verify --attested-by", "asks GitHub: VerifyAttestedTests"),
        ("verify --rebuild", "builds: VerifyRebuildTests"),
        ("--executor kubernetes", "needs a cluster"),
    ];

    public static TheoryData<string> Places => [.. DocumentedCommand.All.Select(command => command.Place).Distinct()];

    [Theory]
    [MemberData(nameof(Places))]
    public async Task every_command_line_works(string place)
    {
        var wrong = new List<string>();
        foreach (var command in DocumentedCommand.All.Where(command => command.Place == place))
        {
            if (await ProblemAsync(command) is { Length: > 0 } problem)
            {
                wrong.Add($"{command}\n  {problem}");
            }
        }

        wrong.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("my/new-one", 3)]
    [InlineData("my/new-benchmarks --bdn", 4)]
    public async Task every_command_line_of_a_new_workload_works(string folder, int lines)
    {
        var readme = await lab.ReadmeOfNewAsync(folder.Split(' '));
        var commands = DocumentedCommand.Of("README.md", readme).ToList();
        commands.Count.ShouldBe(lines);
        foreach (var command in commands)
        {
            (await ProblemAsync(command)).ShouldBeEmpty(command.ToString());
        }
    }

    /// <summary>The only answer on a page that does not depend on what was measured.</summary>
    [Fact]
    public async Task verify_answers_as_the_page_shows()
    {
        const string command = "verify .perf-lab/sessions/20261126-011557-a12a";
        var shown = Repository.Read("docs/cli.md").Split($"./perf-lab {command}\n")[1].Split("```")[0];
        var (_, answer, _) = await lab.RunAsync(command.Split(' '));
        Numberless(answer).ShouldBe(Numberless(shown));

        static string Numberless(string text) => Number().Replace(text, "N");
    }

    [Fact]
    public void every_command_explains_itself_with_an_example() =>
        DocumentedCommand.Names.Where(name => !DocumentedCommand.All.Any(command => command.Place == $"{name} --help" && command.Has(name)))
            .ShouldBeEmpty();

    [Fact]
    public void nothing_is_parsed_only_that_nobody_shows() =>
        ParsedOnly.Where(one => !DocumentedCommand.All.Any(command => !command.IsPart && command.Has(one.Words))).ShouldBeEmpty();

    [Theory]
    [InlineData("./perf-lab list wokloads", "Did you mean workloads?")]
    [InlineData("./perf-lab run json-round-trp --aa", "Did you mean json-round-trip?")]
    [InlineData("./perf-lab run json-round-trip --base pgo=off --head pgo=of", "'of' is not a value of pgo")]
    [InlineData("./perf-lab run bench/My.Benchmarks.csproj --base main --head . --filter '*Nothing*'", "*Nothing*")]
    [InlineData("./perf-lab run bench/My.Benchmarks.csproj --base v9 --head .", "'v9'")]
    [InlineData("./perf-lab bisect json-round-trip --good v9", "'v9'")]
    [InlineData("./perf-lab trend backfill json-round-trip --since v1.0 --runtime net4.0", "'net4.0' is not a runtime")]
    [InlineData("./perf-lab demo --executr process", "Did you mean --executor?")]
    [InlineData("./perf-lab report nowhere", "nowhere")]
    [InlineData("./perf-lab compare session --fail-on slower", "'slower' is none of its values")]
    public async Task one_that_does_not_work_is_found(string line, string expected) =>
        (await ProblemAsync(DocumentedCommand.Of("page", $"```\n{line}\n```").ShouldHaveSingleItem())).ShouldContain(expected);

    [Theory]
    [InlineData("`verify SESSION --rebild`", "'--rebild' is not an option of verify")]
    [InlineData("`history lst`", "'lst' is not a command of history")]
    [InlineData("`perf-lab lab strat NAME`", "'strat' is not a command of lab")]
    public async Task a_name_that_a_sentence_speaks_of_is_one(string sentence, string expected) =>
        (await ProblemAsync(DocumentedCommand.Of("page", sentence).ShouldHaveSingleItem())).ShouldContain(expected);

    private async Task<string> ProblemAsync(DocumentedCommand command)
    {
        var parsed = BothPrograms.Root().Parse(command.Words);
        if (command.IsPart || (command.IsInSentence && IsUnfinished(parsed)))
        {
            return UnknownName(command, parsed);
        }

        var problems = UsageProblems.Of(parsed, RemovedOptions.WhatNow);
        return problems.Count > 0 ? string.Join(' ', problems)
            : ParsedOnly.Any(one => command.Has(one.Words)) && !command.Has("--dry-run") ? ""
            : await WhenRunAsync(command.Words);
    }

    /// <summary>True for `perf-lab bisect` and for `perf-lab lab reap --runners`.</summary>
    private static bool IsUnfinished(ParseResult parsed) =>
        parsed.Errors.Count > 0 || parsed.Tokens.All(token => token.Type == TokenType.Command);

    private async Task<string> WhenRunAsync(string[] words)
    {
        switch (words)
        {
            // Which benchmarks there are is known when they are built.
            case ["run", ..] when !words.Any(word => BenchmarkProject.IsProject(word) || word == "bench/"):
                return await RunAsync([.. words, "--dry-run", "--json"]);
            case ["run" or "bisect" or "diff" or "jit", .. var asked] when !words.Contains("--trace"):
                return Planned(asked);
            case ["trend", "backfill", .. var asked]:
                return Planned(asked);
            default:
                return await RunAsync(words);
        }
    }

    private async Task<string> RunAsync(IReadOnlyList<string> words)
    {
        var (code, _, error) = await lab.RunAsync(words);
        return code == 0 ? "" : $"exit code {code}: {error}";
    }

    private string Planned(IEnumerable<string> words)
    {
        try
        {
            PlannedAsRun.Plan(words, lab.Terminal(TextWriter.Null, TextWriter.Null));
            return "";
        }
        catch (WrongUseException wrong)
        {
            return string.Join(' ', wrong.Problems);
        }
    }

    /// <summary>A sentence may leave out what a command needs, or hold a word to fill in: its commands and options must exist.</summary>
    private static string UnknownName(DocumentedCommand command, ParseResult parsed)
    {
        var last = parsed.CommandResult.Command;
        var known = last.Options.Concat(BothPrograms.Root().Options).SelectMany(option => option.Aliases.Append(option.Name)).ToList();
        var options = command.Words.Where(word => word.StartsWith("--", StringComparison.Ordinal)).Select(word => word.Split('=')[0]);
        var strange = options.FirstOrDefault(option => !known.Contains(option));
        return UsageProblems.WrongCommand(parsed) is { } wrong ? $"'{wrong}' is not a command of {last.Name}"
            : strange is not null ? $"'{strange}' is not an option of {last.Name}" : "";
    }

    [GeneratedRegex("[0-9]+", RegexOptions.None, 1000)]
    private static partial Regex Number();
}
