using PerfLab.Core.Evidence;
using PerfLab.Core.Model;
using PerfLab.Reports.Text;

namespace PerfLab.Reports.Why;

/// <summary>What the JIT did in one traced launch of one arm, or why that is not known.</summary>
/// <param name="Arm">"base", "head"; a file's name for a trace that was brought along.</param>
/// <param name="Values">What tells it from the other arms: "pgo=off".</param>
/// <param name="Facts">Settings and the like, one short sentence each.</param>
/// <param name="Doubts">Why figures may not be complete, or why the launch is refused; hostile text.</param>
public sealed record JitArm(string Arm, string Values, JitStatistics? Statistics, IReadOnlyList<string> Facts, IReadOnlyList<string> Doubts)
{
    /// <summary>It could not be launched here, which is nobody's fault; the doubts say what is missing.</summary>
    public bool IsUnavailable { get; init; }

    public string Title => Values.Length == 0 ? Arm : $"{Arm} ({Values})";
}

/// <summary>The arms of one cell, side by side; the first is what the others are held against.</summary>
/// <param name="Label">For people: "channel-actors / net10.0.14".</param>
public sealed record JitCell(string Label, IReadOnlyList<JitArm> Arms)
{
    /// <summary>Labels for cells as reports have them.</summary>
    public static Func<string, string> Labels(IReadOnlyList<Cell> cells) => new CellLabels(cells).Of;
}

/// <summary>Everything that `perf-lab jit` says.</summary>
public sealed record JitReport(IReadOnlyList<JitCell> Cells)
{
    /// <summary>Something was seen, and nothing failed: an arm that is unavailable leaves the others their figures.</summary>
    public bool IsDone => Arms.Any(arm => arm.Statistics is not null) && Arms.All(arm => arm.Statistics is not null || arm.IsUnavailable);

    private IEnumerable<JitArm> Arms => Cells.SelectMany(cell => cell.Arms);

    /// <summary>What a reader must know of every figure.</summary>
    public const string Reading =
        "ms is wall time on the compiling thread between two events, as PerfView computes it, not CPU time: on a busy machine it inflates. " +
        "Compare counts and bytes; compare times only on a quiet machine. % is of all compilations, % CPU of the process's CPU time.";
}
