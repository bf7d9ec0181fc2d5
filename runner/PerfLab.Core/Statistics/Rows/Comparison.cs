using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>Policy as used, and where it came from: "plan", "journal" or "defaults".</summary>
public sealed record PolicyUsed(Policy Policy, string Source);

/// <summary>Head counts of the verdicts of primary metrics.</summary>
public sealed record VerdictCounts(
    int Regressed, int Improved, int Unchanged, int Undecided, int TooNoisy, int IdenticalBuild, int Failed, int Unavailable);

/// <summary>
/// One (cell, arm other than the reference, metric). Fractions, not percent; + is slower or worse; null where there is no value.
/// </summary>
public sealed record ComparedMetric
{
    public required string Cell { get; init; }
    public required string Arm { get; init; }

    /// <summary>The reference arm; null in a session of one arm.</summary>
    public required string? Reference { get; init; }
    public required string Metric { get; init; }
    public required bool Primary { get; init; }
    public required string Unit { get; init; }

    /// <summary>Median over the counted rounds, in the metric's unit.</summary>
    public double? ReferenceValue { get; init; }
    public double? ArmValue { get; init; }
    public double? Change { get; init; }
    public double? Low { get; init; }
    public double? High { get; init; }
    public double? PValue { get; init; }
    public double? AdjustedP { get; init; }

    /// <summary>Counted (complete) rounds.</summary>
    public required int Rounds { get; init; }
    public Stage? Stage { get; init; }
    public double? Noise { get; init; }
    public double? SmallestDetectable { get; init; }

    /// <summary>Null for metrics that are not primary and in a session of one arm.</summary>
    public Verdict? Verdict { get; init; }

    /// <summary>For exact metrics only.</summary>
    public bool? Equal { get; init; }
    public IReadOnlyList<string> Warnings { get; init; } = [];
}

/// <summary>What the lab said in A/A runs, where nothing had changed.</summary>
/// <param name="Flagged">Runs in which at least one cell was called regressed or improved.</param>
/// <param name="Runs">All A/A runs on record.</param>
/// <param name="Low">Lower end of the exact (Clopper-Pearson) 95 % interval of the rate, a fraction.</param>
/// <param name="High">Upper end of it.</param>
public sealed record FalseFlags(int Flagged, int Runs, double Low, double High);

/// <summary>The whole answer: comparison.json as an object.</summary>
public sealed record Comparison
{
    public required string Session { get; init; }
    public required string Plan { get; init; }
    public required PolicyUsed Policy { get; init; }
    public required VerdictCounts Summary { get; init; }

    /// <summary>Null until there are A/A runs; reports then say "not yet measured".</summary>
    public FalseFlags? FalseFlags { get; init; }
    public required IReadOnlyList<ComparedMetric> Cells { get; init; }
    public IReadOnlyList<string> Warnings { get; init; } = [];
}
