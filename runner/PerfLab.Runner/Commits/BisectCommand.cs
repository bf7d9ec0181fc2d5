using System.CommandLine;
using System.CommandLine.Parsing;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Flow.Benchmarks;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Commits;

/// <summary>`bisect`: which commit made it slower, or faster.</summary>
internal static class BisectCommand
{
    private const string FileName = "bisect.json";

    public static Command Create(Terminal terminal)
    {
        var request = new RequestOptions(terminal);
        var good = new Option<string?>("--good") { Description = "The older commit: a branch, tag or commit.", HelpName = "REF" };
        var bad = new Option<string?>("--bad")
        {
            Description = "The newer commit, which is slower or faster; HEAD when not given.",
            HelpName = "REF",
        };
        var minutes = new Option<int>("--minutes")
        {
            Description = "Test no further commit after this time. A commit that was found is still measured against the one before it.",
            HelpName = "N",
            DefaultValueFactory = _ => 120,
        };
        var output = new Option<string?>("--out")
        {
            Description = "Folder for the search; default: .perf-lab/bisects/<id>.",
            HelpName = "DIR",
        };
        var resume = new Option<string?>("--resume") { Description = "Go on with an interrupted search.", HelpName = "DIR" };
        var json = new Option<bool>("--json") { Description = "Print bisect.json on stdout instead of the report." };
        var (executor, wait) = (ExecutorOption.Create(), WaitOption.Create());
        var command = Examples.Command(
            "bisect", "Find the commit between two that made it slower or faster.",
            ["./perf-lab bisect json-round-trip --runtime net10.0 --good v1.2 --bad main", "./perf-lab bisect ./bench/parse --good HEAD~40",
                "./perf-lab bisect --resume .perf-lab/bisects/20261122-124951-37b2"])
            .With(good, bad, minutes, executor, wait, output, resume, json);
        request.AddCellTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = Lab.Open(terminal);
            var problems = new List<Problem>();
            var (named, ends) = (parsed.GetValue(resume), (Good: parsed.GetValue(good), Bad: parsed.GetValue(bad) ?? "HEAD"));
            var word = parsed.GetValue(executor)!;
            var file = named is null ? Asked(parsed, request, lab, ends, word, problems)
                : InputFile.Read(BisectFile.File, Path.Combine(terminal.WorkingFolder, named, FileName),
                    "name the folder that the interrupted search printed; without --out it is in .perf-lab/bisects");
            if (named is not null)
            {
                Resumed(parsed, named, ends.Good, word, file!, terminal, problems);
                word = file!.Executor;
            }

            WrongUseException.ThrowIfAny([.. problems.Distinct()]);
            var folder = Path.GetFullPath(Path.Combine(terminal.WorkingFolder, named ?? parsed.GetValue(output)
                ?? Path.Combine(lab.Config.Store, "bisects", SessionFolder.NewId(terminal.Clock))));
            if (named is null && File.Exists(Path.Combine(folder, FileName)))
            {
                throw new LabException($"opening {folder} for a new search", "it holds a search already",
                    "name another folder with --out; `bisect --resume DIR` goes on with one");
            }

            var budget = new WaitBudget(terminal, parsed.GetValue(wait));
            using var machine = await MachineLock.TakeAsync(terminal.MachineLock,
                MachineLock.HolderNow(terminal.Clock, Invariant($"a search of up to {parsed.GetValue(minutes)} min")),
                budget, cancellationToken);
            await using var launcher = await lab.Executors.ChooseAsync(word, cancellationToken);
            file = file! with { Executor = launcher.Executor };
            var plans = new PlanStep(lab.Config, lab.Runtimes(Request(file, lab), cancellationToken))
            {
                Projects = await new ProjectStep(lab, word)
                    .FindAsync(Request(file, lab), problems, cancellationToken),
            };
            WrongUseException.ThrowIfAny(problems);
            Directory.CreateDirectory(folder);
            var written = Path.GetRelativePath(terminal.WorkingFolder, folder);
            var goesOnWith = $"./perf-lab bisect --resume {ShellWord.Of(written)}";
            var probes = new Probes(lab, plans, launcher, folder, budget);
            terminal.Say(Invariant($"searching {file.Commits.Count - 1} commits after {file.Good[..12]}; ")
                + $"a search that is interrupted goes on with `{goesOnWith}`");
            var step = new BisectStep(lab, probes, folder, TimeSpan.FromMinutes(parsed.GetValue(minutes)));
            var (found, results) = await OrTell(step.RunAsync(file, cancellationToken), goesOnWith, terminal);
            var report = BisectReport.Render(found, results, lab.Config.Policy.Margin, terminal.Program);
            SessionFolder.WriteWhole(Path.Combine(folder, "bisect.md"), report);
            terminal.Out.Write(parsed.GetValue(json) ? BisectFile.File.Write(found) : report);
            terminal.Say($"files: {written}/ ({FileName}, bisect.md, and each probe's journal)");
            if (found.Outcome == BisectOutcome.Found && BisectReport.Confirmed(found, results, lab.Config.Policy.Margin) is { } confirmed)
            {
                terminal.Say($"which methods: `./perf-lab explain {ShellWord.Of(Probes.FolderOf(confirmed.Probe, written))}`");
            }

            if (found.Outcome == BisectOutcome.OutOfBudget)
            {
                terminal.Say($"the {parsed.GetValue(minutes)} minutes are over; `{goesOnWith}` goes on");
            }

            return found.Outcome == BisectOutcome.Found ? ExitCode.Done : ExitCode.NoAnswer;
        });
        return command;
    }

    /// <summary>Tells how to go on, whatever the search did when it was interrupted: it builds as long as it measures.</summary>
    private static async Task<T> OrTell<T>(Task<T> search, string goesOnWith, Terminal terminal)
    {
        try
        {
            return await search;
        }
        catch (OperationCanceledException)
        {
            terminal.Say($"interrupted: the search goes on with `{goesOnWith}`");
            throw;
        }
    }

    /// <summary>What is asked beside --resume is either what the search began with, or not read.</summary>
    private static void Resumed(
        ParseResult parsed, string named, string? good, string executor, BisectFile file, Terminal terminal, List<Problem> problems)
    {
        if (good is not null || parsed.CommandResult.Children.OfType<ArgumentResult>().Any(argument => argument.Tokens.Count > 0))
        {
            terminal.Say($"--resume {named}: its {FileName} says what is searched; targets, commits and values are not read");
        }

        if (executor != "auto" && executor != file.Executor)
        {
            problems.Add(new("--executor",
                $"the search began with {file.Executor}, and what {executor} measures can't be compared with that.", "Leave --executor out."));
        }
    }

    /// <summary>A new search, or null with problems.</summary>
    private static BisectFile? Asked(
        ParseResult parsed, RequestOptions options, Lab lab, (string? Good, string Bad) ends, string executor, List<Problem> problems)
    {
        if (ends.Good is null)
        {
            problems.Add(new("--good", "is not given.", "Example: ./perf-lab bisect json-round-trip --good v1.2 --bad main"));
        }

        var request = options.Read(parsed, lab.Terminal, lab.Config.Policy, problems);
        if (request.Targets.Count > 1)
        {
            problems.Add(new("target", Invariant($"bisect takes exactly one workload; {request.Targets.Count} are named.")));
        }

        if (problems.Count > 0 || TargetRepository.Of(request, lab, problems, "bisect") is not { } git)
        {
            return null;
        }

        var commits = CommitLine.Between(git, ends.Good!, ends.Bad, problems);
        return problems.Count > 0 ? null : new()
        {
            Target = request.Targets[0],
            Set = request.Set,
            Feeds = request.Feeds,
            Filters = request.Filters,
            Seed = request.Seed,
            WarmUpSeconds = request.WarmUpSeconds,
            CurrentSdk = request.CurrentSdk,
            Executor = executor,
            Outcome = BisectOutcome.Searching,
            Commits = commits,
            Probes = [],
        };
    }

    /// <summary>As `run` would be asked, for whoever looks for projects.</summary>
    private static BenchmarkRequest Request(BisectFile file, Lab lab) => new()
    {
        Targets = [file.Target],
        Arms = [new("head", new Dictionary<string, string>(StringComparer.Ordinal))],
        Set = file.Set,
        Filters = file.Filters,
        Feeds = file.Feeds,
        WarmUpSeconds = file.WarmUpSeconds,
        CurrentSdk = file.CurrentSdk,
        Policy = lab.Config.Policy,
    };
}
