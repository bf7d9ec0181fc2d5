using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Reports;

/// <summary>The (cell, arm other than the reference) that a row is about.</summary>
public readonly record struct RowKey(string Cell, string Arm);

/// <summary>What a report shows and a comparison does not hold. Everything is optional: without it, cells are shown by id.</summary>
public sealed record ReportContext
{
    public static ReportContext None { get; } = new();

    public IReadOnlyList<Cell> Cells { get; init; } = [];

    /// <summary>All launches of the session; the report shows those that failed, with the last lines they printed.</summary>
    public IReadOnlyList<Launch> Launches { get; init; } = [];

    /// <summary>The whole journal: curves are drawn from it. Null: there are none.</summary>
    public SampleSet? Samples { get; init; }

    /// <summary>The machine on one line: model, cores, kernel.</summary>
    public string? Machine { get; init; }

    /// <summary>The shards that this was put together from, each on one line with its machine; empty: one machine measured all.</summary>
    public IReadOnlyList<(string Name, string Value)> Shards { get; init; } = [];

    /// <summary>What was checked about the machine, and what came of it; null when nobody looked.</summary>
    public HygieneNote? Hygiene { get; init; }

    /// <summary>"docker", "process", …</summary>
    public string? Executor { get; init; }

    /// <summary>"any", "hosted", "azure", "metal": how strict the session was about its machine; null when nobody said. Untrusted.</summary>
    public string? MachinePolicy { get; init; }

    /// <summary>What the executor, and the machine it stands on, are not good for, one sentence each ("unsealed, own code only").</summary>
    public IReadOnlyList<string> ExecutorWarnings { get; init; } = [];

    /// <summary>What the reference is called: a commit, or "framework=akka@1.4.45". Null: the dimensions of the arm when all cells agree.</summary>
    public string? Base { get; init; }

    /// <summary>What the other arm is called.</summary>
    public string? Head { get; init; }
    public DateTimeOffset? Started { get; init; }

    /// <summary>Seed of the plan; goes into the lines that reproduce a row.</summary>
    public ulong? Seed { get; init; }

    /// <summary>Whether every arm was compiled for the lowest target framework.</summary>
    public bool SameIl { get; init; }

    /// <summary>`--warm-up` as it was asked for, in seconds; null: not, or nobody said.</summary>
    public double? WarmUpSeconds { get; init; }

    /// <summary>Whether every arm was built with the newest SDK that was there (`--sdk current`).</summary>
    public bool CurrentSdk { get; init; }

    /// <summary>Whether head's benchmarks measured the library of every arm (`--benchmarks head`).</summary>
    public bool BenchmarksOfHead { get; init; }

    /// <summary>Whether benchmarks in C# stood in place of the project's own (`--benchmarks snippet.cs`).</summary>
    public bool IsSnippet { get; init; }

    /// <summary>Folders of packages (`--feed`) that the arms of a cell were built with, by cell. Empty: none, or nobody said.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<string>> Feeds { get; init; } = new Dictionary<string, IReadOnlyList<string>>(StringComparer.Ordinal);

    /// <summary>Folders of workloads that their names do not find, by cell, as the command line takes them ("./mine"). Others, or nobody said: the name.</summary>
    public IReadOnlyDictionary<string, string> Folders { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Cells whose workload no word of the command line is known to name: no line measures them again.</summary>
    public IReadOnlySet<string> NotFound { get; init; } = new HashSet<string>(StringComparer.Ordinal);

    /// <summary>How the reader starts perf-lab; the first word of the lines that measure a row again.</summary>
    public string Program { get; init; } = "./perf-lab";

    /// <summary>The line that measures a row again. Rows that are not listed get one made from their cell (<see cref="ReproduceLine"/>).</summary>
    public IReadOnlyDictionary<RowKey, string> Reproduce { get; init; } = new Dictionary<RowKey, string>();

    /// <summary>Everything that a journal knows; the machine's line and the executor's warnings are the caller's to add.</summary>
    public static ReportContext From(SampleSet samples) => new()
    {
        Cells = samples.Header.Cells,
        Launches = samples.Launches,
        Samples = samples,
        Executor = samples.Header.Executor,
        MachinePolicy = JsonText.Of(samples.Header.Machine["policy"]),
        Started = samples.Header.Started,
        Seed = samples.Header.Seed,
        SameIl = samples.Header.SameIl,
    };

    /// <summary>What a plan knows and no journal holds.</summary>
    public ReportContext With(RunPlan plan) => this with
    {
        WarmUpSeconds = plan.Request?.WarmUpSeconds,
        BenchmarksOfHead = plan.Cells.Any(cell => cell.Arms.Any(arm => arm.Recipe.Benchmarks is not null)),
        IsSnippet = plan.Cells.Any(cell => cell.Arms.Any(arm => arm.Recipe.Snippet is not null)),
        CurrentSdk = plan.Cells.Any(cell => cell.Arms.Any(arm => arm.Recipe.CurrentSdk)),
        Feeds = plan.Cells.ToDictionary(
            cell => cell.Id,
            cell => (IReadOnlyList<string>)[.. cell.Arms.Where(arm => arm.Recipe.Kind == BuildKind.Dotnet).SelectMany(arm => arm.Recipe.Feeds).Distinct(StringComparer.Ordinal)],
            StringComparer.Ordinal),
    };

    internal PlanFacts Plan(string cell) => new(Seed, SameIl)
    {
        Feeds = Feeds.GetValueOrDefault(cell, []),
        Folder = Folders.GetValueOrDefault(cell),
        Executor = Executor,
        MachinePolicy = MachinePolicy,
        Program = Program,
        WarmUpSeconds = WarmUpSeconds,
        CurrentSdk = CurrentSdk,
        BenchmarksOfHead = BenchmarksOfHead,
        IsSnippet = IsSnippet,
    };

    internal Cell? Find(string cell) => Cells.FirstOrDefault(candidate => candidate.Id == cell);
}

/// <summary>What the machine was like while values were taken: one line for everybody, the list for who doubts.</summary>
/// <param name="Line">Our own words: "31 ok, 2 warnings, 0 blocks repeated".</param>
/// <param name="Items">Everything that was looked at. Untrusted.</param>
public sealed record HygieneNote(string Line, IReadOnlyList<HygieneItem> Items);

/// <summary>One thing that was looked at.</summary>
public sealed record HygieneItem(bool NeedsAttention, string Text);
