using PerfLab.Core.Model;

namespace PerfLab.Core.Planning.Requests;

/// <summary>An arm as a person wrote it: dimension -> value.</summary>
/// <param name="Id">"base", "head", or the value that `--vary` gives it.</param>
public sealed record ArmRequest(string Id, IReadOnlyDictionary<string, string> Values);

/// <summary>What was asked for, from the command line or from request.json, before any name was looked up.</summary>
public sealed record BenchmarkRequest
{
    /// <summary>Suites, workload names, or folders (with a slash).</summary>
    public required IReadOnlyList<string> Targets { get; init; }

    /// <summary>The first is the reference. One arm: values and noise, no verdict.</summary>
    public required IReadOnlyList<ArmRequest> Arms { get; init; }

    /// <summary>Base against base: arms with the same values are launched although they are identical.</summary>
    public bool IsAa { get; init; }

    /// <summary>Dimension -> values that make the cells; "*" means all that the workload knows.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<string>> Set { get; init; } =
        new SortedDictionary<string, IReadOnlyList<string>>(StringComparer.Ordinal);

    /// <summary>Which benchmarks of projects and workloads that BenchmarkDotNet measures; empty: all.</summary>
    public IReadOnlyList<string> Filters { get; init; } = [];

    /// <summary>The same by their categories; null: all.</summary>
    public BenchmarkCategories? Categories { get; init; }

    /// <summary>`--rounds S+C`, or null for the policy's.</summary>
    public (int Screen, int Confirm)? Rounds { get; init; }

    /// <summary>Rounds that can give no verdict are what was asked for.</summary>
    public bool WantsDirection { get; init; }
    public ulong Seed { get; init; }

    /// <summary>`--warm-up`: the least time of every launch's warm-up, in place of the workload's; null: the workload's.</summary>
    public double? WarmUpSeconds { get; init; }

    /// <summary>How the arms of every cell take turns; null: they are launched one after the other.</summary>
    public TurnPlan? Turns { get; init; }

    /// <summary>Folders of packages beside the configured sources, absolute.</summary>
    public IReadOnlyList<string> Feeds { get; init; } = [];

    /// <summary>Compile the lowest target framework for every arm.</summary>
    public bool SameIl { get; init; }

    /// <summary>`--sdk current`: build every arm with the newest SDK that is here, whatever a global.json asks for.</summary>
    public bool CurrentSdk { get; init; }

    /// <summary>`--benchmarks head`: head's benchmarks measure the library of every arm.</summary>
    public bool BenchmarksOfHead { get; init; }

    /// <summary>Benchmarks in C#, in place of the source files of the project that is named; null: the project's own.</summary>
    public string? Snippet { get; init; }

    /// <summary>`--only touched`: benchmarks that the difference of base and head can't touch are not measured.</summary>
    public bool OnlyTouched { get; init; }

    /// <summary>Say why a row moved, from traced launches of both arms.</summary>
    public bool Explain { get; init; }
    public Policy Policy { get; init; } = new();

    /// <summary>Where the session stands in a trend: when head's commit was made; null: when it is measured.</summary>
    public DateTimeOffset? PlacedAt { get; init; }

    /// <summary>What the plan shall remember of how it was asked for; null: nothing.</summary>
    public AskedRequest? Asked { get; init; }

    /// <summary>Where it will be measured, when that costs money.</summary>
    public MachinePrice? Machine { get; init; }
}

/// <summary>A machine that is paid by time.</summary>
/// <param name="Name">In perf-lab.yaml.</param>
/// <param name="PerHour">In the currency of the subscription.</param>
public sealed record MachinePrice(string Name, double PerHour);
