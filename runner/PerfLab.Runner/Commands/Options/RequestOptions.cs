using System.CommandLine;
using System.CommandLine.Completions;
using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Knobs;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Trends;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Commands.Options;

/// <summary>The options that say what to compare, shared by `run` and `plan`.</summary>
internal sealed class RequestOptions
{
    private readonly Argument<string[]> _targets = new("target")
    {
        Description = "Suites, workloads, folders with a workload.yaml (written with a slash), or for `run` a project file with benchmarks of BenchmarkDotNet.",
        Arity = ArgumentArity.ZeroOrMore,
        HelpName = "target", // not every name that the shell completes
    };

    private readonly Option<string?> _base = new("--base")
    {
        Description = "The reference arm: dimension=value,… Dimensions are runtime, framework, source, mode, every runtime knob below, "
            + "and the workload's parameters. A word alone is a source: a branch, tag or commit, or . for the working tree.",
        HelpName = "ARM",
    };

    private readonly Option<string?> _head = new("--head")
    {
        Description = "The arm under test, written the same way. Example: --base main --head .",
        HelpName = "ARM",
    };

    private readonly Option<string?> _vary = new("--vary") { Description = "Arms from one dimension; the first is the reference. Example: --vary pgo=off,on,full", HelpName = "DIM=a,b,c" };
    private readonly Option<string?> _anchor = new("--anchor") { Description = "In place of --base: a pinned old build (trend).", HelpName = "ARM" };
    private readonly Option<string?> _nextAnchor = new("--next-anchor") { Description = "Beside --anchor: the anchor to come.", HelpName = "ARM" };
    private readonly Option<bool> _aa = new("--aa") { Description = "Base against base: what the lab says when nothing changed." };
    private readonly Option<bool> _layout = new("--layout") { Description = "Beside --aa: the same source built twice, laid out differently." };
    private readonly Option<string[]> _set = new("--set") { Description = "Values that make the cells; may be repeated; * is all that the workload knows. Example: --set runtime=net8.0,net10.0", HelpName = "DIM=a,b" };
    private readonly Option<string?> _rounds = new("--rounds") { Description = "Screen and confirm rounds, e.g. 8+20; 0+20 has no screen.", HelpName = "S+C" };
    private readonly Option<bool> _stopEarly = new("--stop-early")
    {
        Description = "End the confirm stage of a row that is decided, at looks that are fixed beforehand.",
    };
    private readonly Option<int?> _sessions = SessionsOption.Create();
    private readonly Option<long?> _seed = new("--seed") { Description = "Seed of every random order; recorded in the plan.", HelpName = "N" };
    private readonly Option<string[]> _feed = new("--feed") { Description = "A folder of packages beside the configured sources; may be repeated.", HelpName = "DIR" };
    private readonly Option<string[]> _filter = new("--filter")
    {
        Description =
            "Which benchmarks of BenchmarkDotNet, by its own globs: * and ? over Namespace.Type.Method(parameters); may be repeated.",
        HelpName = "GLOB",
    };
    private readonly Option<string[]> _anyCategories = Categories(BenchmarkCategories.Any, "--anyCategories", "one of these");
    private readonly Option<string[]> _allCategories = Categories(BenchmarkCategories.All, "--allCategories", "all of these");
    private readonly Option<bool> _sameIl = new("--same-il") { Description = "Compile the lowest target framework for every arm and prove by hash that only the runtime differs." };

    private readonly (Option<string?> Option, string Dimension)[] _short =
    [
        Short("runtime", "net8.0 (newest patch), net8.0.33, …", "a,b"),
        Short("framework", "name@version of a library that the workload names", "a,b"),
        .. RuntimeKnobs.All.Select(knob => Short(knob.Name, knob.Summary, string.Join(',', knob.Values))),
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
    public RequestOptions(Terminal terminal) => _targets.CompletionSources.Add(_ =>
        LabConfig.Read(terminal.Root, []) is { } config ? [.. config.Suites.Select(suite => suite.Name).Concat(new WorkloadCatalog(config).Names).Select(name => new CompletionItem(name))] : []);

    /// <param name="command">Gets the options.</param>
    /// <param name="withRounds">False for commands that launch each arm once: then there is nothing to repeat, order or compare.</param>
    /// <param name="withProjects">Takes project files: only those are asked for the categories of their benchmarks.</param>
    public void AddTo(Command command, bool withRounds = true, bool withProjects = false)
    {
        command.Add(_targets);
        Option[] rounds = [_anchor, _nextAnchor, _aa, _layout, _rounds, _stopEarly, _sessions, _seed];
        Option[] projects = [_anyCategories, _allCategories];
        Option[] options = [_base, _head, _vary, _anchor, _nextAnchor, _aa, _layout, _set,
            .. _short.Select(pair => pair.Option), _rounds,
            _stopEarly, _sessions, _seed, _feed, _filter, _anyCategories, _allCategories, _sameIl];
        foreach (var option in options.Except(withRounds ? [] : rounds).Except(withProjects ? [] : projects))
        {
            command.Add(option);
        }
    }

    /// <summary>The options that name one cell, without arms and rounds.</summary>
    public void AddCellTo(Command command)
    {
        command.Add(_targets);
        foreach (var option in (Option[])[_set, .. _short.Select(pair => pair.Option), _seed, _feed, _filter])
        {
            command.Add(option);
        }
    }

    public bool HasTargets(ParseResult parsed) => parsed.GetValue(_targets) is { Length: > 0 };

    public bool IsAa(ParseResult parsed) => parsed.GetValue(_aa);

    public (int Screen, int Confirm)? Rounds(ParseResult parsed, ICollection<Problem> problems) =>
        RoundsAndSeed.Rounds(parsed.GetValue(_rounds), problems);

    /// <summary>The lab's policy with the looks and as many repeats as were asked for.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="policy">Of perf-lab.yaml.</param>
    /// <param name="arms">One has nothing that could be flagged.</param>
    /// <param name="problems">Gets what is wrong.</param>
    public Policy Policy(ParseResult parsed, Policy policy, int arms, ICollection<Problem> problems) => SessionsOption.Apply(
        parsed.GetValue(_sessions), parsed.GetValue(_stopEarly) ? policy with { StopEarly = true } : policy, arms, problems);

    /// <summary>What was given that says nothing of commands: targets, arms, values.</summary>
    public IEnumerable<string> NotOfCommands(ParseResult parsed) =>
        new Option[] { _base, _head, _vary, _layout, _set, _feed, _filter, _anyCategories, _allCategories, _sameIl }
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
        var arms = ReadArms(parsed, seed, problems);
        return new BenchmarkRequest
        {
            Targets =
            [
                .. targets.Select(target => target.Contains('/') || BenchmarkProject.IsProject(target) ? FullPath(target, terminal) : target),
            ],
            Arms = SourceWords.Read(arms, terminal, problems),
            IsAa = parsed.GetValue(_aa) && !parsed.GetValue(_layout), // two layouts are two builds
            Set = ReadSet(parsed, problems),
            Rounds = Rounds(parsed, problems),
            Seed = seed,
            Feeds = [.. (parsed.GetValue(_feed) ?? []).Select(feed => ExistingFolder("--feed", feed, terminal, problems))],
            Filters = parsed.GetValue(_filter) ?? [],
            Categories = BenchmarkCategories.Of(Words(_anyCategories, parsed, problems), Words(_allCategories, parsed, problems)),
            SameIl = parsed.GetValue(_sameIl),
            Policy = Policy(parsed, policy, arms.Count, problems),
        };
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

    private List<ArmRequest> ReadArms(ParseResult parsed, ulong seed, ICollection<Problem> problems)
    {
        var (reference, head, vary, aa) = (parsed.GetValue(_base), parsed.GetValue(_head), parsed.GetValue(_vary), parsed.GetValue(_aa));
        if (vary is not null && (reference is not null || head is not null || aa))
        {
            problems.Add(new("--vary", "goes alone, without --base, --head and --aa."));
        }

        if (parsed.GetValue(_anchor) is { } anchor)
        {
            if (vary is not null || reference is not null || aa)
            {
                problems.Add(new("--anchor", "goes with --head, without --base, --vary and --aa."));
            }

            var next = parsed.GetValue(_nextAnchor) is { } coming
                ? new[] { Arm("--next-anchor", SeriesName.NextAnchorArm, coming, problems) } : [];
            return [Arm("--anchor", SeriesName.AnchorArm, anchor, problems), .. next, Arm("--head", "head", head, problems)];
        }

        if (parsed.GetValue(_nextAnchor) is not null)
        {
            problems.Add(new("--next-anchor", "goes with --anchor, beside which it is measured."));
        }

        if (aa)
        {
            if (head is not null)
            {
                problems.Add(new("--aa", "compares base with itself: leave --head out."));
            }

            var same = Arm("--base", "base", reference, problems);
            return parsed.GetValue(_layout) ? LayoutArms.Of(same, seed) : [same, same with { Id = "head" }];
        }

        if (parsed.GetValue(_layout))
        {
            problems.Add(new("--layout", "goes with --aa.", "Two layouts of your choice: --base layout=1 --head layout=2"));
        }

        if (vary is not null)
        {
            return ReadVary(vary, problems);
        }

        if (reference is not null && head is null)
        {
            problems.Add(new("--base", "needs --head, the arm to compare with it."));
        }

        var headArm = Arm("--head", "head", head, problems);
        return reference is null && head is null ? [headArm] : [Arm("--base", "base", reference, problems), headArm];
    }

    private static ArmRequest Arm(string option, string id, string? text, ICollection<Problem> problems) =>
        text is null ? Unnamed(id) : ArmText.Parse(option, id, text, problems);

    /// <summary>An arm that takes every default.</summary>
    private static ArmRequest Unnamed(string id) => new(id, new Dictionary<string, string>(StringComparer.Ordinal));

    private static List<ArmRequest> ReadVary(string vary, ICollection<Problem> problems)
    {
        if (ArmText.ParseList("--vary", vary, problems) is not { } list)
        {
            return [Unnamed("head")]; // what else is wrong is looked for with an arm like any other
        }

        if (list.Values.Count < 2)
        {
            problems.Add(new("--vary", "needs at least two values."));
        }

        return [.. list.Values.Select(value => new ArmRequest(value, new Dictionary<string, string>(StringComparer.Ordinal) { [list.Dimension] = value }))];
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
