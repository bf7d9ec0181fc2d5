using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Planning.Plans;

/// <summary>The complete, hashed list of what may be launched, made before anything runs: plan.json as an object.</summary>
public sealed record RunPlan : IChecked
{
    /// <summary>"sha256:…" over everything else in the plan.</summary>
    [RegularExpression("^sha256:[0-9a-f]{64}$", ErrorMessage = "a hash (sha256:...)")]
    public string Hash { get; init; } = "";

    /// <summary>What was asked for; null in plans that were made before it was kept.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public AskedRequest? Request { get; init; }
    public required ulong Seed { get; init; }

    /// <summary>Base against base: identical arms are launched too.</summary>
    public required bool IsAa { get; init; }

    /// <summary>Arms that differ in their runtime only must hold the same IL.</summary>
    public bool SameIl { get; init; }

    /// <summary>What moved is launched again with its runtime traced, when all is measured.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Explain { get; init; }

    /// <summary>Benchmarks that the difference of the builds can't touch are not measured: every cell is one that may be.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool OnlyTouched { get; init; }

    /// <summary>Where the session stands in a trend: when head's commit was made; null: when it was measured.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public DateTimeOffset? PlacedAt { get; init; }

    /// <summary>
    /// Projects whose benchmarks nobody has listed yet: the plan is open, and a cell of theirs stands for all of them. It can be built,
    /// and not measured. Null: the plan is complete.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [MinLength(1)]
    public IReadOnlyList<string>? Unlisted { get; init; }

    /// <summary>Hash of the plan that was built, where this one was made from it: its builds are this one's. Null: its own are.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [RegularExpression("^sha256:[0-9a-f]{64}$", ErrorMessage = "a hash (sha256:...)")]
    public string? BuildsOf { get; init; }
    public required Policy Policy { get; init; }
    public required IReadOnlyList<PlannedCell> Cells { get; init; }

    /// <summary>Every screen round in the order of launching; none is launched where the choice of rows leaves few.</summary>
    public required IReadOnlyList<PlannedRound> Screen { get; init; }

    /// <summary>Every confirm round that may come; those of cells (and arms) that the screen does not keep are left out.</summary>
    public required IReadOnlyList<PlannedRound> Confirm { get; init; }

    /// <summary>Every round of every repeat that may come, numbered through; null without repeats.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<PlannedRound>? Repeat { get; init; }

    /// <summary>When no cell is confirmed (least), and when every one is, and measured again as often as may be (most).</summary>
    public required PlanEstimate Estimate { get; init; }

    /// <summary>The cells that each machine measures, for a plan that is spread over several; null: one machine measures all.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<IReadOnlyList<string>>? Shards { get; init; }

    /// <summary>What it takes beyond its estimate when no launch comes to rest before its bound, in seconds.</summary>
    public double UntilRestSeconds => (Policy.ScreenRounds + (Policy.ConfirmRounds * (1 + Policy.Repeats))) * Cells
        .Where(cell => cell.Unavailable is null)
        .Sum(cell => cell.Arms.Sum(arm => cell.WarmUpBoundSeconds - cell.ExpectedWarmUpSeconds(arm)));

    public IEnumerable<Problem> Problems()
    {
        var hash = PlanFile.Hash(this);
        if (hash != Hash)
        {
            yield return new("hash", $"the plan was changed after it was made: its hash says {Hash}, its contents {hash}");
        }

        // A cell in two shards would be measured twice, and one in none never: no hash makes that right.
        if (Shards is not null && !Shards.SelectMany(shard => shard).Order(StringComparer.Ordinal)
            .SequenceEqual(Cells.Select(cell => cell.Id).Order(StringComparer.Ordinal), StringComparer.Ordinal))
        {
            yield return new("shards", "must hold each cell of the plan once");
        }
    }
}

/// <summary>What measuring is expected to take; building is left out.</summary>
/// <param name="LeastSeconds">All of it, proof launches and checks of the machine included.</param>
/// <param name="MostSeconds">The same with every confirm round.</param>
/// <param name="LeastLaunches">Measured launches; those that only prove settings are not counted (<see cref="ProofNeed.Count(RunPlan)"/>).</param>
/// <param name="MostLaunches">The same with every confirm round.</param>
public sealed record PlanEstimate(
    [AtLeast(0)] double LeastSeconds, [AtLeast(0)] double MostSeconds, [AtLeast(0)] int LeastLaunches, [AtLeast(0)] int MostLaunches)
{
    /// <summary>
    /// Null where no machine with a price was named: on the command line the plan does not know where it will be measured.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public PlanCost? Cost { get; init; }

    /// <summary>From start to end when every machine of a plan that is spread starts at once; null when one machine measures all.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ShardLength? LongestShard { get; init; }
}

/// <summary>What the shard takes that is done last.</summary>
/// <param name="LeastSeconds">When none of its cells is confirmed.</param>
/// <param name="MostSeconds">The same with every round.</param>
public sealed record ShardLength([AtLeast(0)] double LeastSeconds, [AtLeast(0)] double MostSeconds);

/// <summary>What the machine's time is expected to cost, in the currency of the subscription.</summary>
/// <param name="Machine">In perf-lab.yaml.</param>
/// <param name="PricePerHour">As it was there at planning.</param>
/// <param name="Least">For <see cref="PlanEstimate.LeastSeconds"/>.</param>
/// <param name="Most">For <see cref="PlanEstimate.MostSeconds"/>.</param>
public sealed record PlanCost(string Machine, [AtLeast(0)] double PricePerHour, [AtLeast(0)] double Least, [AtLeast(0)] double Most);

/// <summary>A cell and everything needed to launch its arms.</summary>
public sealed record PlannedCell
{
    public required string Id { get; init; }
    public required string Workload { get; init; }
    public required string Mode { get; init; }

    /// <summary>The dimensions that all arms share, resolved ("runtime" = "net8.0.33").</summary>
    public required IReadOnlyDictionary<string, string> Dimensions { get; init; }

    /// <summary>The parameters that all arms share.</summary>
    public required IReadOnlyDictionary<string, string> Parameters { get; init; }

    /// <summary>The first is the reference.</summary>
    [MinLength(1)]
    public required IReadOnlyList<PlannedArm> Arms { get; init; }
    [MinLength(1)]
    public required IReadOnlyList<Metric> Metrics { get; init; }
    public required LaunchTimes Launch { get; init; }

    /// <summary>What the workload says; an arm may have limits of its own (<see cref="ResourcesOf"/>).</summary>
    public required Resources Resources { get; init; }
    public ResultFormat Result { get; init; }

    /// <summary>How the arms of a round take turns; null: they are launched one after the other.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TurnPlan? Turns { get; init; }

    /// <summary>Why they are launched one after the other although turns were asked for wherever they can be had; else null.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? NoTurns { get; init; }

    /// <summary>The cell of the plan that was built whose builds it takes (<see cref="RunPlan.BuildsOf"/>); null: its own.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? BuiltAs { get; init; }

    /// <summary>Why it can't be measured here, known already at planning; else null.</summary>
    public string? Unavailable { get; init; }

    /// <summary>The warm-up of a launch lasts at most so long, the same for every arm: as long as the one with the fewest cores may need.</summary>
    public double WarmUpBoundSeconds => Launch.WarmUpBoundSeconds(Arms.Min(arm => ResourcesOf(arm).Cpus));

    /// <summary>The warm-up of a launch of the arm, when it comes to rest at once; a script has no rule of rest.</summary>
    public double ExpectedWarmUpSeconds(PlannedArm arm) =>
        arm.Recipe.Kind == BuildKind.Dotnet ? Launch.ExpectedWarmUpSeconds(ResourcesOf(arm).Cpus) : Launch.WarmUpSeconds;

    /// <summary>What a launch of the arm may use.</summary>
    public Resources ResourcesOf(PlannedArm arm) => arm.Limits?.In(Resources) ?? Resources;

    /// <summary>The cell as the journal names it.</summary>
    /// <param name="build">Build identity of an arm, or null when there is none.</param>
    /// <param name="il">IL identity of an arm, or null when it has none.</param>
    /// <param name="unavailable">Why it can't be measured, found out after planning.</param>
    /// <param name="overruled">What an arm's project says and its launches do not.</param>
    public Cell ToCell(Func<string, string?> build, Func<string, string?> il, string? unavailable,
        Func<PlannedArm, IReadOnlyList<string>?>? overruled = null)
    {
        return new()
        {
            Id = Id,
            Workload = Workload,
            Dimensions = Dimensions,
            Parameters = Parameters,
            Metrics = Metrics,
            Arms = [.. Arms.Select(arm => arm.ToArm(build(arm.Id), il(arm.Id), overruled?.Invoke(arm)))],
            Unavailable = Unavailable ?? unavailable,
            Turns = Turns,
            NoTurns = NoTurns,
        };
    }
}

/// <summary>One arm of a cell.</summary>
public sealed record PlannedArm
{
    public required string Id { get; init; }

    /// <summary>Only what differs between the arms, resolved.</summary>
    public required IReadOnlyDictionary<string, string> Dimensions { get; init; }
    public required BuildRecipe Recipe { get; init; }

    /// <summary>
    /// What the working tree that it is built from holds beside its commit, at planning; null when it is built from a commit, or nobody
    /// looked.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? WorkingTree { get; init; }
    [MinLength(1)]
    public required IReadOnlyList<string> Command { get; init; }

    /// <summary>The programs of a launch in the order in which they are started; null: there is one.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [MinLength(1)]
    public IReadOnlyList<PlannedNode>? Nodes { get; init; }

    /// <summary>What `cpus=` and `memory=` ask for; null where neither was named.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public AskedLimits? Limits { get; init; }

    /// <summary>Knobs and parameters, the same names in the same order for every arm; times, nonce and paths come with the launch.</summary>
    public required IReadOnlyList<KeyValuePair<string, string>> Environment { get; init; }

    /// <summary>Nothing reads it: plans of an earlier version have it, and their hash holds it.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyDictionary<string, string>? Knobs { get; init; }

    internal Arm ToArm(string? build, string? il, IReadOnlyList<string>? overruled) => new()
    {
        Id = Id,
        Dimensions = Dimensions,
        Build = build,
        Il = il,
        WorkingTree = WorkingTree,
        Overruled = overruled is [] ? null : overruled,
    };
}

/// <summary>One of several programs of a launch: the same build, told by its name what it is for.</summary>
/// <param name="Name">Its role and its number, from 0: "sut-0".</param>
/// <param name="Role">All of a role are started at once. The first of the last one reports the metrics.</param>
public sealed record PlannedNode(string Name, string Role);

/// <summary>Every arm of one cell launched once, in this order.</summary>
public sealed record PlannedRound(string Cell, [AtLeast(0)] int Round, [MinLength(1)] IReadOnlyList<string> Order);
