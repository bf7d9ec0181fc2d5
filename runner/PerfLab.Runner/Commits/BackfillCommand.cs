using System.CommandLine;
using System.Security.Cryptography;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;
using PerfLab.History;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Flow.Benchmarks;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Commits;

/// <summary>`trend backfill`: gives a new lab the past of its benchmarks.</summary>
internal static class BackfillCommand
{
    private const int UsualPoints = 40, MostPoints = 1000, MostNamed = 10;

    /// <param name="terminal">Where it writes.</param>
    /// <param name="look">Looks at the trend and says what it sees.</param>
    public static Command Create(Terminal terminal, Action<HistoryStore> look)
    {
        var request = new RequestOptions(terminal);
        var since = new Option<string?>("--since")
        {
            Description = "The anchor: a tag, branch or commit, beside which each later commit is measured.",
            HelpName = "REF",
        };
        var points = new Option<int>("--points")
        {
            Description = $"How many commits to measure, from 1 to {MostPoints}; what runs the same as one of them is free.",
            HelpName = "N",
            DefaultValueFactory = _ => UsualPoints,
        };
        var minutes = new Option<int>("--minutes")
        {
            Description = "Begin no further commit after this time. The same command goes on.",
            HelpName = "N",
            DefaultValueFactory = _ => 120,
        };
        var (executor, wait) = (ExecutorOption.Create(), WaitOption.Create());
        var command = Examples.Command(
            "backfill",
            "Measure commits of the past beside an anchor, those that tell most first: a history from the first day.",
            ["./perf-lab trend backfill bench/My.Benchmarks.csproj --since v1.0",
                "./perf-lab trend backfill json-round-trip --since v1.0 --points 20 --minutes 60"])
            .With(since, points, minutes, executor, wait);
        request.AddCellTo(command, withRounds: true);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = Lab.Open(terminal);
            var problems = new List<Problem>();
            var most = TimeSpan.FromMinutes(Within(parsed.GetValue(minutes), "--minutes", 1, 100_000, problems));
            var count = Within(parsed.GetValue(points), "--points", 1, MostPoints, problems);
            var asked = request.Read(parsed, terminal, lab.Config.Policy, problems);
            var (line, beside) = Line(lab, asked, parsed.GetValue(since), problems);
            WrongUseException.ThrowIfAny([.. problems.Distinct()]);

            var budget = new WaitBudget(terminal, parsed.GetValue(wait));
            using var machine = await MachineLock.TakeAsync(terminal.MachineLock,
                MachineLock.HolderNow(terminal.Clock, Invariant($"a backfill of up to {most.TotalMinutes} min")),
                budget, cancellationToken);
            await using var launcher = await lab.Executors.ChooseAsync(parsed.GetValue(executor)!, cancellationToken);
            var ask = asked with
            {
                Arms = [new("head", new Dictionary<string, string>(StringComparer.Ordinal))],
                Policy = lab.Config.Policy with { Repeats = 0 },
            };
            var plans = new PlanStep(lab.Config, lab.Runtimes(ask, cancellationToken))
            {
                Projects = await new ProjectStep(lab, parsed.GetValue(executor)!)
                    .FindAsync(ask, problems, cancellationToken),
            };
            WrongUseException.ThrowIfAny(problems);
            var folder = FolderOf(lab, ask, line[0].Id, launcher.Executor);
            Directory.CreateDirectory(folder);
            var known = Path.Combine(folder, "backfill.json");
            terminal.Say(Invariant($"{line.Count - 1} commits after {line[0].Id[..12]}; ")
                + "the same command goes on where it was interrupted");
            if (beside.Count > 0)
            {
                var named = string.Join(", ", beside.Take(MostNamed).Select(tag => UntrustedText.Line(tag)));
                terminal.Say($"left out, not on the line of first parents: {named}{(beside.Count > MostNamed ? ", …" : "")}");
            }

            var step = new BackfillStep(lab, plans, launcher, folder, budget)
            {
                Request = ask,
                Line = line,
                Points = count,
                Most = most,
            };
            var earlier = !File.Exists(known) ? null
                : InputFile.Read(BackfillFile.File, known, $"delete {known}; its commits are measured anew");
            BackfillFile file;
            try
            {
                file = await step.RunAsync(earlier, cancellationToken);
            }
            catch (OperationCanceledException)
            {
                terminal.Say("points that are done stay; the same command goes on, and measures the one that was cut anew");
                throw;
            }

            Say(terminal, file, step.IsOutOfTime);
            terminal.Out.Write(BackfillText.Of(line, step.Known, Asked(asked)));
            using var store = LabHistory.Open(lab.Config);
            look(store);
            return file.Commits.Any(commit => commit.Outcome == BackfillOutcome.Measured) ? ExitCode.Done : ExitCode.NoAnswer;
        });
        return command;
    }

    private static int Within(int value, string option, int least, int most, List<Problem> problems)
    {
        if (value < least || value > most)
        {
            problems.Add(new(option, Invariant($"{value} is not from {least} to {most}.")));
        }

        return Math.Clamp(value, least, most);
    }

    private static (IReadOnlyList<PastCommit> Line, IReadOnlyList<string> Beside) Line(
        Lab lab, BenchmarkRequest asked, string? since, List<Problem> problems)
    {
        if (since is null)
        {
            problems.Add(new("--since", "is not given.", "Example: ./perf-lab trend backfill json-round-trip --since v1.0"));
        }

        if (asked.Targets.Count > 1)
        {
            problems.Add(new("target", Invariant($"backfill takes exactly one workload; {asked.Targets.Count} are named.")));
        }

        if (lab.Config.History.KeepRuns is false)
        {
            problems.Add(new("history", "perf-lab.yaml says that runs are not kept, and a backfill is for the history.",
                "Set history: { keep-runs: true }."));
        }

        return problems.Count > 0 || TargetRepository.Of(asked, lab, problems, "backfill") is not { } git ? ([], [])
            : PastCommit.Of(git, since!, lab.Terminal.Clock.GetUtcNow(), problems);
    }

    /// <summary>The same for the same question, so that it goes on.</summary>
    private static string FolderOf(Lab lab, BenchmarkRequest request, string anchor, string executor)
    {
        var question = string.Join('\n', [
            anchor, executor, request.Targets[0],
            Invariant($"{request.Rounds} {request.CurrentSdk}"), .. request.Filters, "",
            .. request.Set.SelectMany(values => values.Value.Prepend(values.Key)), "", .. request.Feeds]);
        var hash = SHA256.HashData(Encoding.UTF8.GetBytes(question));
        return Path.Combine(lab.Config.Store, "backfills", Convert.ToHexStringLower(hash)[..12]);
    }

    /// <summary>The target and its values as they are typed.</summary>
    private static string Asked(BenchmarkRequest request) => string.Join(' ', [
        request.Targets[0],
        .. request.Filters.SelectMany(filter => new[] { "--filter", filter }).Select(ShellWord.Of),
        .. request.Set.Select(values => $"--set {ShellWord.Of($"{values.Key}={string.Join(',', values.Value)}")}")]);

    private static void Say(Terminal terminal, BackfillFile file, bool isOutOfTime)
    {
        int Count(BackfillOutcome outcome) => file.Commits.Count(commit => commit.Outcome == outcome);
        terminal.Say(Invariant($"commits in the history: {Count(BackfillOutcome.Measured)}; ")
            + Invariant($"that run what another one runs: {Count(BackfillOutcome.Same)}; left out: {Count(BackfillOutcome.LeftOut)}"));
        foreach (var commit in file.Commits.Where(commit => commit.Outcome == BackfillOutcome.LeftOut))
        {
            terminal.Say($"left out {commit.Id[..12]}: {UntrustedText.Line(commit.Why ?? "")}");
        }

        if (isOutOfTime)
        {
            terminal.Say("the time is over; the same command goes on");
        }
    }
}
