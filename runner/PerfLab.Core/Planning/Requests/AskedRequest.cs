using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Planning.Requests;

/// <summary>
/// What a plan was made for, in the words that asked for it. Nothing is decided by it but whether somebody asked for rounds: seed, policy,
/// `--aa` and `--same-il` have members of their own in a plan, and folders of packages are in its recipes.
/// </summary>
public sealed record AskedRequest
{
    /// <summary>Suites, workload names, or absolute folders.</summary>
    public required IReadOnlyList<string> Targets { get; init; }

    /// <summary>Dimension -> value as written ("net8.0", not the patch that it became).</summary>
    [MinLength(1)]
    public required IReadOnlyList<ArmRequest> Arms { get; init; }

    /// <summary>Dimension -> values as written, without those of a suite.</summary>
    public required IReadOnlyDictionary<string, IReadOnlyList<string>> Set { get; init; }

    /// <summary>"8+20", or null: the policy's.</summary>
    [RegularExpression(@"^[0-9]{1,10}\+[0-9]{1,10}$", ErrorMessage = "rounds, as in 8+20")]
    public string? Rounds { get; init; }

    /// <summary>`--warm-up`, or null: the workload's.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [AtLeast(0)]
    public double? WarmUpSeconds { get; init; }

    /// <summary>Null: it was asked for on the command line.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public PullRequestOrigin? PullRequest { get; init; }

    public static AskedRequest Of(BenchmarkRequest request) => new()
    {
        Targets = request.Targets,
        Arms = request.Arms,
        Set = request.Set,
        Rounds = request.Rounds is { } rounds ? Invariant($"{rounds.Screen}+{rounds.Confirm}") : null,
        WarmUpSeconds = request.WarmUpSeconds,
    };
}

/// <summary>The comment that asked, as the gate accepted it.</summary>
/// <param name="Repository">"owner/name".</param>
/// <param name="Number">Of the pull request.</param>
/// <param name="CommentId">GitHub's number of the comment.</param>
/// <param name="RequesterId">GitHub's number of who wrote it.</param>
/// <param name="Base">Commit, 40 hexadecimal digits.</param>
/// <param name="Head">Commit, 40 hexadecimal digits.</param>
/// <param name="Machine">As written; null: the machine of perf-lab.yaml.</param>
public sealed record PullRequestOrigin(
    string Repository,
    [AtLeast(1)] int Number,
    [AtLeast(1)] long CommentId,
    [AtLeast(1)] long RequesterId,
    [RegularExpression("^[0-9a-f]{40}$", ErrorMessage = "a full commit id")] string Base,
    [RegularExpression("^[0-9a-f]{40}$", ErrorMessage = "a full commit id")] string Head,
    string? Machine);
