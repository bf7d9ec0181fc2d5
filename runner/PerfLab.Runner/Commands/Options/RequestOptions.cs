using System.CommandLine;
using System.CommandLine.Completions;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;
using PerfLab.Programs;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Commands.Options;

/// <summary>The options that say what to compare, shared by `run` and `plan`.</summary>
internal sealed class RequestOptions
{
    private readonly Argument<string[]> _targets = new("target")
    {
        Description = "Suites, workloads, folders with a workload.yaml (written with a slash), or for `run` and `bisect` a project with benchmarks of BenchmarkDotNet, or the folder or solution that holds it.",
        Arity = ArgumentArity.ZeroOrMore,
        HelpName = "target", // not every name that the shell completes
    };

    private readonly ArmOptions _arms = new();
    private readonly Option<string[]> _set = new("--set") { Description = "Values that make the cells; may be repeated; * is all that the workload knows. `./perf-lab list knobs` has the runtime's switches. Example: --set tiering=on,off", HelpName = "DIM=a,b" };
    private readonly Option<string?> _rounds = new("--rounds")
    {
        Description = "Screen and confirm rounds, e.g. 8+20; 20 has no screen. Of `run`, below 13: a direction, no verdict.",
        HelpName = "S+C",
    };
    private bool _forReaders;
    private readonly Option<string?> _within = WithinOption.Create();
    private readonly Option<bool> _stopEarly = WithinOption.CreateStopEarly();
    private readonly Option<int?> _sessions = SessionsOption.Create();
    private readonly Option<string?> _warmUp = WarmUpOption.Create();
    private readonly Option<string?> _pairing = PairingOption.Create();
    private readonly Option<bool> _explain = new("--explain")
    {
        Description = "After measuring, launch what moved again with its runtime traced, and report which methods and counters changed.",
    };
    private readonly Option<long?> _seed = new("--seed") { Description = "Seed of every random order; recorded in the plan.", HelpName = "N" };
    private readonly Option<string[]> _feed = new("--feed") { Description = "An additional folder of NuGet packages; may be repeated.", HelpName = "DIR" };
    private readonly Option<string[]> _filter = new("--filter")
    {
        Description =
            "Which benchmarks of BenchmarkDotNet, by its own globs: * and ? over Namespace.Type.Method(parameters); may be repeated.",
        HelpName = "GLOB",
    };
    private readonly Option<string[]> _anyCategories = Categories(BenchmarkCategories.Any, "--anyCategories", "one of these");
    private readonly Option<string[]> _allCategories = Categories(BenchmarkCategories.All, "--allCategories", "all of these");
    private readonly Option<bool> _sameIl = new("--same-il") { Description = "Compile the lowest target framework for every arm and prove by hash that only the runtime differs." };

    private readonly Option<string?> _only = OnlyOption.Create();
    private readonly Option<string?> _sdk = new("--sdk")
    {
        Description =
            "current: build every arm with the newest SDK that is here, also where a commit's global.json asks for one that is not.",
        HelpName = "current",
    };

    private readonly Option<string?> _benchmarks = BenchmarksOption.Create();

    private readonly (Option<string?> Option, string Dimension)[] _short =
    [
        Short("runtime", "net8.0 (newest patch), net8.0.33, …", "a,b"),
        Short("framework", "name@version of a library that the workload names; without a version the newest release that is listed", "a,b"),
        Short(Cell.Age, "no warm-up, measured from the first unit of work on: the start-up itself", Cell.Cold),
        .. RuntimeKnobs.All.Where(knob => knob.Name is RuntimeKnobs.Pgo or RuntimeKnobs.Gc)
            .Select(knob => Short(knob.Name, knob.Summary, string.Join(',', knob.Values))),
    ];

    private static Option<string[]> Categories(string name, string asBenchmarkDotNetSpellsIt, string which) =>
        new(name, asBenchmarkDotNetSpellsIt)
        {
            Description = $"Benchmarks of BenchmarkDotNet with {which} categories; a project file only.",
            HelpName = "a,b",
        };

    private static (Option<string?> Option, string Dimension) Short(string dimension, string what, string values) =>
        (new("--" + dimension) { Description = $"Short for --set {dimension}=…: {what}.", HelpName = values }, dimension);

    /// <param name="terminal">In whose lab names are completed.</param>
    public RequestOptions(Terminal terminal)
    {
        _sdk.AcceptOnlyFromAmong("current");
        _targets.CompletionSources.Add(_ => LabConfig.Read(terminal.Root, []) is { } config
            ? [.. config.Suites.Select(suite => suite.Name).Concat(new WorkloadCatalog(config).Names)
                .Select(name => new CompletionItem(name))] : []);
    }

    /// <param name="command">Gets the options.</param>
    /// <param name="withRounds">False for commands that launch each arm once: then there is nothing to repeat, order or compare.</param>
    /// <param name="withProjects">Takes project files: only those are asked for the categories of their benchmarks.</param>
    /// <param name="withMinutes">Measures by itself, so that it can measure until rows are decided.</param>
    public void AddTo(Command command, bool withRounds = true, bool withProjects = false, bool withMinutes = false)
    {
        _forReaders = withMinutes;
        command.Add(_targets);
        Option[] rounds = [.. _arms.OfRounds, _rounds, _stopEarly, _sessions, _warmUp, _pairing, _explain, _only, _seed];
        Option[] minutes = [_within];
        Option[] projects = [_anyCategories, _allCategories, _benchmarks];
        Option[] options = [.. _arms.All, _set,
            .. _short.Select(pair => pair.Option), _rounds,
            _within, _stopEarly, _sessions, _warmUp, _pairing, _explain, _only, _seed, _feed, _filter,
            _anyCategories, _allCategories, _benchmarks,
            _sameIl, _sdk];
        foreach (var option in options
            .Except(withRounds ? [] : rounds).Except(withProjects ? [] : projects).Except(withMinutes ? [] : minutes))
        {
            command.Add(option);
        }
    }

    /// <summary>The options that name cells, without arms.</summary>
    public void AddCellTo(Command command, bool withRounds = false)
    {
        command.Add(_targets);
        Option[] rounds = withRounds ? [_rounds] : [_warmUp];
        foreach (var option in (Option[])[_set, .. _short.Select(pair => pair.Option), .. rounds, _seed, _feed, _filter, _sdk])
        {
            command.Add(option);
        }
    }

    public bool HasTargets(ParseResult parsed) => parsed.GetValue(_targets) is { Length: > 0 };

    public bool IsAa(ParseResult parsed) => _arms.IsAa(parsed);

    public (int Screen, int Confirm)? Rounds(ParseResult parsed, ICollection<Problem> problems) =>
        RoundsAndSeed.Rounds(parsed.GetValue(_rounds), problems);

    /// <summary>Rounds that were typed may be too few for a verdict, where a person reads what they show.</summary>
    public bool WantsDirection(ParseResult parsed) => _forReaders && parsed.GetValue(_rounds) is not null;

    /// <summary>The options that do something with a verdict, each with whether it was typed.</summary>
    public IEnumerable<(string Option, bool IsGiven)> OfVerdicts(ParseResult parsed) =>
        [(_sessions.Name, parsed.GetValue(_sessions) > 1), (_explain.Name, parsed.GetValue(_explain))];

    /// <summary>The lab's policy with the minutes and as many repeats as were asked for.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="policy">Of perf-lab.yaml.</param>
    /// <param name="arms">One has nothing that could be flagged.</param>
    /// <param name="problems">Gets what is wrong.</param>
    public Policy Policy(ParseResult parsed, Policy policy, int arms, ICollection<Problem> problems)
    {
        // `plan` has an option of that name for its shards, and asks for no minutes.
        var within = parsed.GetResult(_within) is null ? null : parsed.GetValue(_within);
        return SessionsOption.Apply(parsed.GetValue(_sessions), WithinOption.Apply((within, parsed.GetValue(_stopEarly)), policy,
            parsed.GetValue(_rounds) is not null, arms, problems), arms, problems);
    }

    /// <summary>What was given that says nothing of commands: targets, arms, values.</summary>
    public IEnumerable<string> NotOfCommands(ParseResult parsed) =>
        _arms.NotOfCommands
            .Concat([_set, _feed, _filter, _anyCategories, _allCategories, _benchmarks, _sameIl, _sdk, _warmUp, _explain, _only])
            .Concat(_short.Select(pair => pair.Option))
            .Where(option => parsed.GetResult(option) is { Implicit: false }).Select(option => option.Name)
            .Concat(HasTargets(parsed) ? ["target"] : []);

    public ulong Seed(ParseResult parsed, ICollection<Problem> problems) => RoundsAndSeed.Seed(parsed.GetValue(_seed), problems);

    public BenchmarkRequest Read(ParseResult parsed, Terminal terminal, Policy policy, ICollection<Problem> problems)
    {
        var targets = parsed.GetValue(_targets) ?? [];
        if (targets.Length == 0)
        {
            problems.Add(new("target", "nothing was named.", "Example: ./perf-lab run channel-actors --base pgo=off --head pgo=on"));
        }

        var seed = Seed(parsed, problems);
        var arms = _arms.Read(parsed, seed, problems);
        return new BenchmarkRequest
        {
            Targets = [.. targets.Select(target => ProjectTarget.Read(target, terminal, problems)).OfType<string>()],
            Arms = SourceWords.Read(arms, terminal, problems),
            IsAa = _arms.IsAa(parsed) && !_arms.IsLayout(parsed), // two layouts are two builds
            Set = ReadSet(parsed, problems),
            Rounds = Rounds(parsed, problems),
            WantsDirection = WantsDirection(parsed),
            Seed = seed,
            Feeds = [.. (parsed.GetValue(_feed) ?? []).Select(feed => ExistingFolder("--feed", feed, terminal, problems))],
            Filters = parsed.GetValue(_filter) ?? [],
            Categories = BenchmarkCategories.Of(Words(_anyCategories, parsed, problems), Words(_allCategories, parsed, problems)),
            SameIl = parsed.GetValue(_sameIl),
            BenchmarksOfHead = parsed.GetValue(_benchmarks) == HeadBenchmarks.Head,
            Snippet = BenchmarksOption.ReadSnippet(parsed.GetValue(_benchmarks), terminal, problems),
            CurrentSdk = parsed.GetValue(_sdk) is not null,
            WarmUpSeconds = WarmUpOption.Read(parsed.GetValue(_warmUp), problems),
            OnlyTouched = OnlyOption.Read(parsed.GetValue(_only), arms, _arms.IsAa(parsed), problems),
            Turns = PairingOption.Read(parsed.GetValue(_pairing), problems),
            Explain = Explain(parsed, arms.Count, problems),
            Policy = Policy(parsed, policy, arms.Count, problems),
        };
    }

    private bool Explain(ParseResult parsed, int arms, ICollection<Problem> problems)
    {
        if (parsed.GetValue(_explain) && arms == 1)
        {
            problems.Add(new("--explain", "explains what regressed or improved, and one arm is compared with nothing.",
                "Name a --base, or leave it out."));
        }

        return parsed.GetValue(_explain);
    }

    private static IReadOnlyList<string> Words(Option<string[]> option, ParseResult parsed, ICollection<Problem> problems)
    {
        var lists = parsed.GetValue(option) ?? [];
        string[] words = [.. lists
            .SelectMany(list => list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))];
        if (lists.Length > 0 && words.Length == 0)
        {
            problems.Add(new(option.Name, "names no category.", $"Example: {option.Name} text,io"));
        }

        return words;
    }

    private SortedDictionary<string, IReadOnlyList<string>> ReadSet(ParseResult parsed, ICollection<Problem> problems)
    {
        var set = new SortedDictionary<string, IReadOnlyList<string>>(StringComparer.Ordinal);
        var texts = (parsed.GetValue(_set) ?? []).Concat(_short
            .Where(pair => parsed.GetValue(pair.Option) is not null)
            .Select(pair => $"{pair.Dimension}={parsed.GetValue(pair.Option)}"));
        foreach (var text in texts)
        {
            if (ArmText.ParseList("--set", text, problems) is { } list && !set.TryAdd(list.Dimension, list.Values))
            {
                problems.Add(new("--set", $"'{list.Dimension}' is given twice."));
            }
        }

        return set;
    }

    private static string ExistingFolder(string option, string folder, Terminal terminal, ICollection<Problem> problems)
    {
        var path = FullPath(folder, terminal);
        if (!Directory.Exists(path))
        {
            problems.Add(new(option, $"'{folder}' is not a folder."));
        }

        return path;
    }

    private static string FullPath(string path, Terminal terminal) => Path.GetFullPath(Path.Combine(terminal.WorkingFolder, path));
}
