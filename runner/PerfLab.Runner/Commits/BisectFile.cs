using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Building;
using PerfLab.Core.Files;

namespace PerfLab.Runner.Commits;

/// <summary>bisect.json: what is searched for between two commits, and everything found so far. Beside it lie the journals.</summary>
internal sealed record BisectFile
{
    public static FileFormat<BisectFile> File { get; } =
        new("perf-lab/bisect/1", "bisect.json: a search for the commit that made a change");

    /// <summary>Workload, or its absolute folder.</summary>
    public required string Target { get; init; }

    /// <summary>Dimension -> the one value that names the cell, as written.</summary>
    public required IReadOnlyDictionary<string, IReadOnlyList<string>> Set { get; init; }
    public required IReadOnlyList<string> Feeds { get; init; }

    /// <summary>Which benchmark of BenchmarkDotNet; empty for every other workload.</summary>
    public required IReadOnlyList<string> Filters { get; init; }
    public required ulong Seed { get; init; }

    /// <summary>The least warm-up of every launch, in place of the workload's; null: the workload's.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? WarmUpSeconds { get; init; }

    /// <summary>Every commit is built with the newest SDK that is here.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool CurrentSdk { get; init; }

    /// <summary>docker, process or kubernetes: all probes are launched the same way.</summary>
    [RegularExpression("^(docker|kubernetes|process)$", ErrorMessage = "docker, kubernetes or process")]
    public required string Executor { get; init; }
    public required BisectOutcome Outcome { get; init; }

    /// <summary>Oldest first: good, everything after it, bad. Of merges only first parents.</summary>
    [MinLength(2)]
    public required IReadOnlyList<BisectCommit> Commits { get; init; }

    /// <summary>In the order in which they were made.</summary>
    public required IReadOnlyList<BisectProbe> Probes { get; init; }

    /// <summary>Id of the commit that was searched up to, when one turned out to be neither good nor bad; null otherwise.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? SearchedUpTo { get; init; }

    /// <summary>Good or bad as a person says it: the first digits.</summary>
    [JsonIgnore]
    public string Good => Commits[0].Id;

    [JsonIgnore]
    public string Bad => Commits[^1].Id;
}

/// <summary>How a search stands.</summary>
internal enum BisectOutcome
{
    Searching,

    /// <summary>One commit, or several of which only the last can be tested, made the change: seen beside the commit before, too.</summary>
    Found,

    /// <summary>That the likeliest commit differs from the one before was not proven when the two were measured side by side.</summary>
    NotConfirmed,

    /// <summary>Good and bad do not differ.</summary>
    NoDifference,

    /// <summary>It could not be told whether good and bad differ.</summary>
    Unclear,

    /// <summary>No minutes are left.</summary>
    OutOfBudget,

    /// <summary>Several commits are left, and no measurement could tell them apart.</summary>
    NothingToAsk,
}

/// <param name="Subject">First line of its message: anybody's text.</param>
/// <param name="Build">Identity of what it builds; null while nobody has built it, and when it does not build.</param>
/// <param name="Untestable">Why it can't be built or launched; null otherwise.</param>
internal sealed record BisectCommit(
    [RegularExpression("^[0-9a-f]{40}$", ErrorMessage = "a full commit id")] string Id,
    string Subject,
    [RegularExpression(Build.IdentityForm, ErrorMessage = "sha256: and 64 hexadecimal digits")] string? Build = null,
    string? Untestable = null)
{
    /// <summary>Id of a commit from which nothing differs that is run here; null where none is known.</summary>
    [RegularExpression("^[0-9a-f]{40}$", ErrorMessage = "a full commit id")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? SameAs { get; init; }
}

/// <summary>A measurement of two commits; its journal is in the folder of its number.</summary>
/// <param name="Number">From 1; the folder is `probe-001`.</param>
/// <param name="Reference">Index of the commit that it is compared with.</param>
/// <param name="Commit">Index of the commit.</param>
/// <param name="Rounds">Planned.</param>
internal sealed record BisectProbe(
    [AtLeast(1)] int Number, ProbeKind Kind, [AtLeast(0)] int Reference, [AtLeast(1)] int Commit, [AtLeast(1)] int Rounds);

/// <summary>Good against bad at first; good against a commit between; at last the culprit against the commit before it.</summary>
internal enum ProbeKind { Ends, Search, Confirmation }
