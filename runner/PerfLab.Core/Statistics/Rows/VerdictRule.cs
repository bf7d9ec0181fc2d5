using System.Runtime.InteropServices;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>What the verdict on one measured (cell, arm) pair is made from. Log units.</summary>
[StructLayout(LayoutKind.Auto)]
public readonly record struct Finding
{
    /// <summary>Hodges-Lehmann centre of the deciding stage's log ratios.</summary>
    public required double Centre { get; init; }

    /// <summary>Of the deciding stage.</summary>
    public required SignedRankInterval? Interval { get; init; }

    /// <summary>
    /// Holm-adjusted p of a kept pair; null for a pair that the screen did not keep, which is never regressed or improved.
    /// </summary>
    public required double? AdjustedP { get; init; }

    /// <summary>The direction that was tested: the screen's, or without one that of the confirm stage's own rank-sum.</summary>
    public required int Direction { get; init; }

    /// <summary>Noise of the screen's rounds; of the confirm stage's when there was no screen.</summary>
    public required double? Noise { get; init; }

    /// <summary>
    /// The arm failed more often than the reference beyond chance: what is left of it may look fast because the slow launches died.
    /// </summary>
    public bool FailsMoreOften { get; init; }
}

/// <summary>From a finding to the word.</summary>
public static class VerdictRule
{
    /// <summary>Exact binomial p up to which an arm counts as failing more often than the reference.</summary>
    public const double FailureLevel = 0.05;

    public static Verdict Of(in Finding finding, Policy policy)
    {
        var margin = PracticalMargin.Of(policy);
        var significant = finding.AdjustedP <= policy.FamilyError && finding.Direction != 0
            && margin.IsReachedBy(finding.Centre, finding.Direction);
        if (significant && finding.Direction > 0)
        {
            return Verdict.Regressed;
        }

        if (significant && !finding.FailsMoreOften)
        {
            return Verdict.Improved;
        }

        if (finding.Interval is { } interval && margin.Contains(interval))
        {
            return Verdict.Unchanged;
        }

        return finding.Noise > policy.TooNoisy ? Verdict.TooNoisy : Verdict.Undecided;
    }
}
