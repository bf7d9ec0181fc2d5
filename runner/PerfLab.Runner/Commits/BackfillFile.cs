using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Runner.Commits;

/// <summary>backfill.json: what became of each commit that was looked at. Beside it lie the sessions.</summary>
internal sealed record BackfillFile
{
    public static FileFormat<BackfillFile> File { get; } =
        new("perf-lab/backfill/1", "backfill.json: commits of the past that were measured beside an anchor, and those that were left out");

    /// <summary>The commit that every other one is measured beside.</summary>
    [RegularExpression("^[0-9a-f]{40}$", ErrorMessage = "a full commit id")]
    public required string Anchor { get; init; }
    public required IReadOnlyList<BackfilledCommit> Commits { get; init; }
}

/// <summary>What became of a commit.</summary>
internal enum BackfillOutcome
{
    /// <summary>Its session stands in the history.</summary>
    Measured,

    /// <summary>It runs what a neighbour runs, so it was not measured.</summary>
    Same,

    /// <summary>It can't be built, or no launch of it gave a value.</summary>
    LeftOut,
}

/// <param name="Id">Full id.</param>
/// <param name="Outcome">What became of it.</param>
internal sealed record BackfilledCommit(
    [RegularExpression("^[0-9a-f]{40}$", ErrorMessage = "a full commit id")] string Id, BackfillOutcome Outcome)
{
    /// <summary>Full id of the neighbour that runs the same; null otherwise.</summary>
    [RegularExpression("^[0-9a-f]{40}$", ErrorMessage = "a full commit id")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? SameAs { get; init; }

    /// <summary>Why it was left out: anybody's text; null otherwise.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Why { get; init; }
}
