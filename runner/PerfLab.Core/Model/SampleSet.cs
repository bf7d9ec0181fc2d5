using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Model;

/// <summary>One fully described thing to launch, as the journal names it.</summary>
public sealed record Arm
{
    public required string Id { get; init; }

    /// <summary>Only the dimensions in which the arms of the cell differ.</summary>
    public required IReadOnlyDictionary<string, string> Dimensions { get; init; }

    /// <summary>Build identity ("sha256:…"), null when there is none (a build that failed).</summary>
    public string? Build { get; init; }

    /// <summary>IL identity ("sha256:…"): the program without its runtime. Null when it is no .NET program, or nobody said.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Il { get; init; }

    /// <summary>
    /// What the working tree that it was built from held beside its commit: "0a1b2c3d4e5f with 1 untracked file (a.cs)". Null otherwise.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? WorkingTree { get; init; }

    /// <summary>
    /// What its project says and does not hold here, a sentence each: knobs are the lab's, the SDK may be. Null where there is nothing.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? Overruled { get; init; }
}

/// <summary>A point of the matrix in which arms are compared. The first arm is the reference.</summary>
public sealed record Cell : IChecked
{
    public required string Id { get; init; }
    public required string Workload { get; init; }

    /// <summary>The dimensions that all arms share, with their values.</summary>
    public required IReadOnlyDictionary<string, string> Dimensions { get; init; }
    public required IReadOnlyDictionary<string, string> Parameters { get; init; }

    /// <summary>The first is the reference.</summary>
    public required IReadOnlyList<Arm> Arms { get; init; }

    /// <summary>Exactly one is primary.</summary>
    public required IReadOnlyList<Metric> Metrics { get; init; }

    /// <summary>Why this cell can't be measured here (a package or runtime that can't be had), or null.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Unavailable { get; init; }

    /// <summary>How the arms of its rounds took turns; null where they were launched one after the other.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TurnPlan? Turns { get; init; }

    /// <summary>Why they were launched one after the other although nobody asked for that; else null.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? NoTurns { get; init; }

    /// <summary>The same as a word.</summary>
    public Pairing Pairing => Turns is null ? Pairing.Launches : Pairing.Turns;

    public Arm Reference => Arms[0];

    /// <summary>Its launches are measured from the first unit of work on, as somebody asked: it is a start-up.</summary>
    public bool IsCold => Dimensions.GetValueOrDefault(Age) == Cold;

    /// <summary>The dimension that says so, and its one value; a cell that warms up has none.</summary>
    public const string Age = "age", Cold = "cold";

    public Metric PrimaryMetric => Metrics.Single(metric => metric.Primary);

    /// <summary>The value of every dimension and parameter of one of its arms: the arm's own, and the cell's.</summary>
    public IReadOnlyDictionary<string, string> ValuesOf(Arm arm)
    {
        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, value) in Dimensions.Concat(Parameters).Concat(arm.Dimensions))
        {
            values[name] = value;
        }

        return values;
    }

    public IEnumerable<Problem> Problems()
    {
        if (Arms.Count == 0 || Arms.DistinctBy(arm => arm.Id, StringComparer.Ordinal).Count() != Arms.Count)
        {
            yield return new("arms", "must be at least one, each with a name of its own");
        }

        if (Metrics.Count(metric => metric.Primary) != 1 || Metrics.DistinctBy(metric => metric.Name, StringComparer.Ordinal).Count() != Metrics.Count)
        {
            yield return new("metrics", "must have exactly one that is primary, and no name twice");
        }
    }
}

/// <summary>The first record of a journal: what was to be measured, under which policy.</summary>
public sealed record SessionHeader : JournalRecord, IChecked
{
    private const string SchemaWord = "perf-lab/samples/1";

    [AllowedValues(SchemaWord)]
    public string Schema
    {
        get => SchemaWord;
        init { }
    }

    public required string Session { get; init; }

    /// <summary>The plan's hash ("sha256:…").</summary>
    public required string Plan { get; init; }
    public required ulong Seed { get; init; }

    /// <summary>Which shard of the plan it is, from 1; null where one machine measures all of it.</summary>
    [AtLeast(1)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? Shard { get; init; }

    /// <summary>Whether every arm was compiled for the lowest target framework, so that only the runtime differs.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool SameIl { get; init; }

    /// <summary>UTC, ISO 8601.</summary>
    public required DateTimeOffset Started { get; init; }

    /// <summary>Where the session stands in a trend: when head's commit was made; null: when it was measured.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public DateTimeOffset? PlacedAt { get; init; }
    public required string Executor { get; init; }
    public JsonObject Machine { get; init; } = [];

    /// <summary>Null when the journal has none; then the defaults hold.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public Policy? Policy { get; init; }
    public required IReadOnlyList<Cell> Cells { get; init; }

    /// <summary>The same session after a cell's arms turned out to be unable to take turns.</summary>
    public SessionHeader With(WithoutTurns found) => this with
    {
        Cells = [.. Cells.Select(cell => cell.Id == found.Cell ? cell with { Turns = null, NoTurns = found.Why } : cell)],
    };

    public IEnumerable<Problem> Problems() => Cells.CountBy(cell => cell.Id, StringComparer.Ordinal).Where(id => id.Value > 1)
        .Select(id => new Problem("cells", $"lists '{UntrustedText.Line(id.Key)}' twice"))
        .Concat(PlacedAt > Started ? [new Problem("placedAt", "is later than it was measured")] : []);
}

/// <summary>Everything a journal holds, checked: the input of the comparer.</summary>
public sealed record SampleSet
{
    public required SessionHeader Header { get; init; }
    public required IReadOnlyList<Launch> Launches { get; init; }
    public required IReadOnlyList<VoidedRound> Voids { get; init; }

    /// <summary>What differs between builds, where somebody looked.</summary>
    public IReadOnlyList<BuildDifference> Differences { get; init; } = [];

    /// <summary>Whether that can touch a pair; nothing of a pair that nobody asked about.</summary>
    public IReadOnlyList<TouchedPair> Touches { get; init; } = [];

    /// <summary>Why pairs of a session with minutes were not measured on.</summary>
    public IReadOnlyList<PairEnd> Ends { get; init; } = [];

    /// <summary>What was seen of the machine before, between and after blocks, in order.</summary>
    public IReadOnlyList<JsonObject> MachineChecks { get; init; } = [];

    /// <summary>False when the journal has no end record: the session was cut.</summary>
    public required bool Complete { get; init; }

    /// <summary>Doubts that the reader had (torn last line, resumed session).</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>The journals that this was put together from, each with its own machine; empty: it is one journal.</summary>
    public IReadOnlyList<SampleSet> Shards { get; init; } = [];

    /// <summary>The sessions that it holds, one or more: its shards, or itself.</summary>
    public IReadOnlyList<SampleSet> Sessions => Shards.Count == 0 ? [this] : Shards;

    /// <summary>Cell -> why nothing of it is here although it was to be measured: its shard never came, or can't be read.</summary>
    public IReadOnlyDictionary<string, string> Missing { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);
}
