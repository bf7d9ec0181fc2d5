using PerfLab.Core.Model;
using PerfLab.Core.Profiles;
using PerfLab.Core.Statistics.Stages;
using System.ComponentModel.DataAnnotations;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>Policy as used, and where it came from.</summary>
public sealed record PolicyUsed : Policy
{
    [JsonConstructor]
    public PolicyUsed()
    {
    }

    [SetsRequiredMembers]
    public PolicyUsed(Policy policy, string source)
        : base(policy) => Source = source;

    /// <summary>Where the policy came from: plan, journal or defaults.</summary>
    public required string Source { get; init; }
}

/// <summary>Head counts of the verdicts of primary metrics.</summary>
public sealed record VerdictCounts(
    [AtLeast(0)] int Regressed,
    [AtLeast(0)] int Improved,
    [AtLeast(0)] int Unchanged,
    [AtLeast(0)] int Undecided,
    [AtLeast(0)] int TooNoisy,
    [AtLeast(0)] int IdenticalBuild,
    [AtLeast(0)] int Failed,
    [AtLeast(0)] int Unavailable)
{
    /// <summary>Flagged by the first session, and not by every repeat.</summary>
    [AtLeast(0)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public int DoesNotHold { get; init; }

    /// <summary>Measured while an arm was not at rest: no direction is said.</summary>
    [AtLeast(0)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public int NotSteady { get; init; }

    /// <summary>Rows whose arm allocates more bytes than its reference, whatever their time says.</summary>
    [AtLeast(0)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public int AllocatesMore { get; init; }

    /// <summary>Rows whose arm allocates fewer bytes.</summary>
    [AtLeast(0)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public int AllocatesLess { get; init; }

    /// <summary>Not measured: nothing that they run differs between the builds.</summary>
    [AtLeast(0)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public int Untouched { get; init; }

    /// <summary>Rows whose change overspends the budget since the anchor.</summary>
    [AtLeast(0)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public int OverBudget { get; init; }
}

/// <summary>
/// One (cell, arm other than the reference, metric). Fractions, not percent; + is slower or worse; null where there is no value.
/// </summary>
public sealed record ComparedMetric
{
    /// <summary>Id of the cell in the journal and the plan.</summary>
    public required string Cell { get; init; }

    /// <summary>What reports call the row; null in files of before there were names, and where nobody described the cell. Hostile text.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Name { get; init; }
    public required string Arm { get; init; }

    /// <summary>The reference arm; null in a session of one arm.</summary>
    public required string? Reference { get; init; }
    public required string Metric { get; init; }

    /// <summary>The metric that has a verdict.</summary>
    public required bool Primary { get; init; }
    public required string Unit { get; init; }

    /// <summary>Median over the counted rounds, in the unit.</summary>
    public double? ReferenceValue { get; init; }

    /// <summary>Median over the counted rounds, in the unit.</summary>
    public double? ArmValue { get; init; }

    /// <summary>Fraction, + is slower or worse: 0.031 is 3.1 % slower. Of all sessions together where there are repeats.</summary>
    [AtLeast(-1)]
    public double? Change { get; init; }

    /// <summary>Lower end of its interval.</summary>
    [AtLeast(-1)]
    public double? Low { get; init; }

    /// <summary>Upper end of its interval.</summary>
    [AtLeast(-1)]
    public double? High { get; init; }

    /// <summary>Exact signed-rank p.</summary>
    [Range(0, 1)]
    public double? PValue { get; init; }

    /// <summary>p after Holm over the family.</summary>
    [Range(0, 1)]
    public double? AdjustedP { get; init; }

    /// <summary>Counted (complete) rounds of the stage that decides.</summary>
    [AtLeast(0)]
    public required int Rounds { get; init; }

    /// <summary>The stage that the figures are from.</summary>
    public Stage? Stage { get; init; }

    /// <summary>Why it was not measured on, in a session with minutes; null elsewhere.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public EndReason? Ended { get; init; }

    /// <summary>How the arms of its rounds were paired: one launch after the other when absent, or in turns.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public Pairing Pairing { get; init; }

    /// <summary>Spread of the paired log ratios, a fraction.</summary>
    [AtLeast(0)]
    public double? Noise { get; init; }

    /// <summary>The true change that would be found in 80 % of such sessions, a fraction.</summary>
    [AtLeast(0)]
    public double? SmallestDetectable { get; init; }

    /// <summary>The margin that it is judged by where the cell has a wider one of its own, a fraction; null where the policy's holds.</summary>
    [AtLeast(0)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? Margin { get; init; }

    /// <summary>Null for metrics that are not primary and in a session of one arm.</summary>
    public Verdict? Verdict { get; init; }

    /// <summary>Of a row that is not steady: a warm-up that should do, in seconds; null where no launch shows one.</summary>
    [AtLeast(0)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? WarmUpSeconds { get; init; }

    /// <summary>Where the noise of its rounds comes from; null where nobody can tell, and beside the primary metric.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public NoiseSources? NoiseSources { get; init; }

    /// <summary>Why people keep a regression that they know of; null unless they do. A person's words: hostile text until rendered.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Accepted { get; init; }

    /// <summary>Where main stands since the anchor, and with this change; null without a budget, or without a history of the row.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public BudgetStanding? Budget { get; init; }

    /// <summary>Metrics of kind exact only: whether both arms gave the same value, as far as launches of one build agree on it.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public bool? Equal { get; init; }

    /// <summary>Metrics of kind exact only: how far launches of one build lie apart at most, in the unit; null when they agree.</summary>
    [AtLeast(0)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? Varies { get; init; }

    /// <summary>The shard of the plan that measured it, from 1; null where one machine measured all.</summary>
    [AtLeast(1)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? Shard { get; init; }

    /// <summary>A flagged row that was measured again: the first session and every repeat. Null for every other row.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<SessionChange>? Sessions { get; init; }

    /// <summary>By how much those sessions differ beyond their own noise: a standard deviation, as a fraction.</summary>
    [AtLeast(0)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? SessionSpread { get; init; }

    /// <summary>What it runs of the methods that differ, or why it was measured all the same; null where nobody looked. Hostile text.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Touched { get; init; }

    /// <summary>What changed in it, from traced launches; null where nobody looked (`explain`, `run --explain`).</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ExplanationSummary? Why { get; init; }
    public IReadOnlyList<string> Warnings { get; init; } = [];
}

/// <summary>The whole answer: comparison.json as an object.</summary>
public sealed record Comparison
{
    /// <summary>The file; a 500-cell comparison has about 0.3 MiB.</summary>
    public static FileFormat<Comparison> File { get; } = new("perf-lab/comparison/1", "comparison.json: what a session says");

    public required string Session { get; init; }

    /// <summary>Hash of the plan.</summary>
    public required string Plan { get; init; }

    /// <summary>As used.</summary>
    public required PolicyUsed Policy { get; init; }

    /// <summary>The answer in one sentence without anything that could be markup; null before somebody put it into words.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Headline { get; init; }

    /// <summary>How many primary metrics got each verdict.</summary>
    public required VerdictCounts Summary { get; init; }

    /// <summary>Null until there are A/A runs; reports then say "not yet measured".</summary>
    public FalseFlags? FalseFlags { get; init; }

    /// <summary>The same of two builds that differ in nothing but where their code lies in memory; null until there are such runs.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public FalseFlags? LayoutFlags { get; init; }

    /// <summary>What differs between the builds, and which of it no row runs; null where nobody looked.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public SelectionSummary? Selection { get; init; }

    /// <summary>One entry per (cell, arm other than the reference, metric), in plan order.</summary>
    public required IReadOnlyList<ComparedMetric> Cells { get; init; }
    public IReadOnlyList<string> Warnings { get; init; } = [];
}
