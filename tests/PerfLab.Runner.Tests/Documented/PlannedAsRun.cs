using System.CommandLine;
using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Flow.Benchmarks;

namespace PerfLab.Runner.Tests.Documented;

/// <summary>
/// What a command would measure, without building: by the options and plans of `run`, with the list of benchmarks that a build would give.
/// </summary>
internal static class PlannedAsRun
{
    /// <summary>The benchmarks that pages speak of.</summary>
    private static readonly string[] Listed = ["My.Parsing.Dates", "My.Parsing.Split", "My.Parsing.Scan", "My.Parser.Parse"];

    /// <summary>Options of other commands, and the one of `run` that takes the same; without one, option and value are left out.</summary>
    private static readonly Dictionary<string, string?> Others = new(StringComparer.Ordinal)
    {
        ["--good"] = "--base",
        ["--bad"] = "--head",
        ["--since"] = "--base",
        ["--points"] = null,
        ["--minutes"] = null,
        ["--format"] = null,
    };

    /// <exception cref="WrongUseException">It can't be measured: an unknown name or value, or too few rounds for a verdict.</exception>
    public static void Plan(IEnumerable<string> words, Terminal terminal)
    {
        var (options, command, problems) = (new RequestOptions(terminal), new Command("run"), new List<Problem>());
        options.AddTo(command, withProjects: true, withMinutes: true);
        var parsed = command.Parse([.. InTheWordsOfRun(words)]);
        UsageProblems.Of(parsed, RemovedOptions.WhatNow).ShouldBeEmpty("an option of another command than `run`: say above what stands for it there");
        var lab = Flow.Lab.Open(terminal);
        var request = options.Read(parsed, terminal, lab.Config.Policy, problems);
        var projects = SuiteProjects.Of(request.Targets, lab.Config, problems)
            .ToDictionary(pair => pair.Key, pair => Project(pair.Value), StringComparer.Ordinal);
        new PlanStep(lab.Config, lab.Runtimes(request)) { Projects = projects }.Make(request, problems);
    }

    private static Workload Project(string file) =>
        BenchmarkProject.Of(file, ["net8.0", "net10.0"]) with { Parameters = [BenchmarkProject.Parameter(Listed)] };

    private static IEnumerable<string> InTheWordsOfRun(IEnumerable<string> words)
    {
        var isValueOfNone = false;
        foreach (var word in words)
        {
            var isOther = Others.TryGetValue(word, out var there);
            if (!isValueOfNone && !(isOther && there is null))
            {
                yield return there ?? word;
            }

            isValueOfNone = isOther && there is null;
        }
    }
}
