using PerfLab.Core.Profiles;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>Between a comparison and what traced launches said of its rows: which are looked at, and what each gets to say.</summary>
public static class ExplainedComparison
{
    /// <summary>(cell, arm) of the rows that regressed or improved: regressions first, the largest first.</summary>
    public static IReadOnlyList<(string Cell, string Arm)> Moved(Comparison comparison) =>
    [
        .. comparison.Cells.Where(row => row is { Primary: true, Verdict: Verdict.Regressed or Verdict.Improved })
            .OrderBy(row => row.Verdict == Verdict.Regressed ? 0 : 1)
            .ThenByDescending(row => Math.Abs(Math.Log(1 + (row.Change ?? 0)))).Select(row => (row.Cell, row.Arm)),
    ];

    /// <summary>The comparison with a short "why" in each row that was explained; one of another plan adds nothing.</summary>
    public static Comparison With(Comparison comparison, Explanation explanation)
    {
        if (explanation.Plan is { } plan && plan != comparison.Plan)
        {
            return comparison;
        }

        var rows = explanation.Rows.GroupBy(row => (row.Cell, row.Arm)).ToDictionary(row => row.Key, row => ExplanationSummary.Of(row.First()));
        return comparison with
        {
            Cells = [.. comparison.Cells.Select(row =>
                row.Primary && rows.TryGetValue((row.Cell, row.Arm), out var why) ? row with { Why = why } : row)],
        };
    }
}
