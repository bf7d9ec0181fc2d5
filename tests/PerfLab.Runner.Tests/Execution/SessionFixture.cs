using PerfLab.Building;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Launching;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;
using PerfLab.Machine.Watching;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>A small plan, run against a fake launcher into a journal in memory or on disk.</summary>
internal sealed class SessionFixture : IDisposable
{
    private static readonly Workload Script = new()
    {
        Name = "script",
        Summary = "fake",
        Folder = "/nowhere/script",
        Build = new() { Kind = BuildKind.None },
        Command = ["./run.sh"],
        Parameters = [new() { Name = "size", Default = "1", Type = ParameterType.Integer }, new() { Name = "slower", Default = "0", Type = ParameterType.Number }],
        Modes = [new("steady", [new("time", "s", Better.Lower, Primary: true)])],
        Launch = new(0, 1, 60),
        Resources = new(1, 1L << 30, 64),
    };

    public SessionFixture((int Screen, int Confirm) rounds, int cells = 1, string[]? arms = null, double within = 0, int repeats = 0, TurnPlan? turns = null)
    {
        var result = Planner.Plan(
            new BenchmarkRequest
            {
                Targets = [],
                Arms = [.. (arms ?? ["0", "0.1"]).Select((slower, index) => new ArmRequest(
                    index == 0 ? "base" : index == 1 ? "head" : $"head{index}", new Dictionary<string, string> { ["slower"] = slower }))],
                Set = new SortedDictionary<string, IReadOnlyList<string>> { ["size"] = [.. Enumerable.Range(1, cells).Select(size => $"{size}")] },
                Rounds = rounds,
                Policy = new() { Within = within, Repeats = repeats },
                Seed = 7,
            },
            new([Script], (_, _) => throw new InvalidOperationException("a script has no runtime")));
        Plan = result.Plan ?? throw new InvalidOperationException(string.Join("; ", result.Problems));
        if (turns is not null)
        {
            Plan = Plan with { Cells = [.. Plan.Cells.Select(cell => cell with { Turns = turns })] };
            Plan = Plan with { Hash = PlanFile.Hash(Plan) };
        }

        Builds = Plan.Cells.SelectMany(cell => cell.Arms.Select(arm => (cell.Id, arm.Id)))
            .ToDictionary(key => key, key => new BuildResult(new Build($"sha256:{key}", "/nowhere", true), null, null));
    }

    public RunPlan Plan { get; set; }

    public Dictionary<(string Cell, string Arm), BuildResult> Builds { get; }

    public FakeLauncher Launcher { get; } = new();

    public MemoryStream Journal { get; private set; } = new();

    /// <summary>Bytes that are free on the machine that measures; null: nobody knows.</summary>
    public long? Free { get; set; }

    /// <summary>The machine that the session watches: this one, or a test's.</summary>
    public MachineFiles Files { get; init; } = new();

    public TimeProvider Clock { get; init; } = TimeProvider.System;

    public HygienePolicy Policy { get; init; } = HygienePolicy.Any;

    /// <summary>Without a launch before a repeat.</summary>
    public TimeSpan Apart { get; init; } = TimeSpan.Zero;

    /// <summary>Cores that are kept for workloads.</summary>
    public string? Cpus { get; init; }

    /// <summary>Set to check the machine between blocks too.</summary>
    public Func<SelfTestFigures>? SelfTest { get; init; }

    /// <summary>Cells of which the change touches nothing, as if somebody had looked.</summary>
    public IReadOnlyCollection<string> Untouched { get; init; } = [];

    /// <summary>Told where it stands.</summary>
    public IProgress<SessionProgress> Progress { get; set; } = new Progress<SessionProgress>();

    /// <summary>What is seen while blocks run.</summary>
    public TickGaps? Pauses { get; init; }

    public SeenEvents? Events { get; init; }

    public async Task<SampleSet> RunAsync(CancellationToken cancellationToken = default)
    {
        using var journal = new JournalWriter(Journal = new MemoryStream(), () => { });
        await RunAsync(journal, null, cancellationToken);
        return Read();
    }

    public SampleSet Read()
    {
        var contents = JournalReader.Read(Journal.ToArray());
        contents.Damage.ShouldBeNull();
        return contents.Samples!;
    }

    public async Task RunAsync(JournalWriter journal, SampleSet? resumed, CancellationToken cancellationToken)
    {
        var builds = new ArmBuilds(Builds);
        var header = new SessionHeader
        {
            Session = "test",
            Plan = Plan.Hash,
            Seed = 7,
            Started = DateTimeOffset.UnixEpoch,
            Executor = "fake",
            Policy = Plan.Policy,
            Cells = builds.ToCells(Plan),
        };
        var record = resumed is null ? SessionRecord.Start(journal, header) : SessionRecord.Resume(journal, resumed, "boot", DateTimeOffset.UnixEpoch);
        var setup = new SessionSetup { Plan = Plan, Builds = builds, Header = header, EnginePatience = TimeSpan.FromSeconds(1), Cpus = Cpus, Apart = Apart, Clock = Clock };
        foreach (var cell in resumed is null ? Untouched : [])
        {
            record.Add(new BuildDifference("sha256:difference", 1, ["Writer.Flush"], []));
            record.Add(new TouchedPair(cell, "head", "sha256:difference", Untouched: true, "the changed method does not run in it"));
        }

        _ = TurnsHere.Settle(Plan, record, Launcher, new(Free));
        setup = await new Selection(setup, record, Launcher, Progress).RunAsync(cancellationToken);
        using var hygiene = new HygieneWatch(Files, Clock, Policy);
        var rounds = new RoundRunner(setup, record, Launcher, hygiene, Clock);
        var blocks = SelfTest is null ? null : new BlockWatch(new() { Files = Files, Time = Clock, Policy = Policy, SelfTest = SelfTest, Pauses = Pauses, Events = Events });
        await new Session(setup, record, rounds, Progress, blocks).RunAsync(cancellationToken);
    }

    public void Dispose() => Launcher.Dispose();

    public Comparison Compare() => Comparer.Compare(Read(), new(Plan.Policy, "plan"));

    /// <summary>"slower" as the launch sees it.</summary>
    public static double Slower(LaunchSpec launch) => double.Parse(
        launch.Environment.Single(pair => pair.Key == "PERF_LAB_PARAM_SLOWER").Value, System.Globalization.CultureInfo.InvariantCulture);
}
