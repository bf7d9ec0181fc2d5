using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Reports;

/// <summary>What differs between the builds, which rows run it, and which changed methods no row runs.</summary>
public static class SelectionLines
{
    public const string Title = "What changed, and what runs it";

    private const int MostRows = 6;

    /// <summary>A line each. Untrusted: names come from assemblies.</summary>
    public static IReadOnlyList<string> Of(Report report)
    {
        if (report.Comparison.Selection is not { } selection)
        {
            return [];
        }

        return
        [
            .. selection.Everything.Select(why => $"everything was measured: {why}"),
            .. report.Rows.Where(row => row.Figures.Touched is not null && selection.Everything.Count == 0)
                .GroupBy(row => row.Figures.Touched!, StringComparer.Ordinal)
                .OrderBy(group => group.All(row => row.Figures.Verdict == Core.Statistics.Stages.Verdict.Untouched))
                .Select(group => $"{group.Key}: {Rows([.. group.Select(row => row.Cell).Distinct(StringComparer.Ordinal)])}"),
            .. NotRun(selection),
        ];
    }

    private static string Rows(List<string> cells) => cells.Count <= MostRows ? string.Join(", ", cells)
        : Invariant($"{string.Join(", ", cells.Take(MostRows))} and {cells.Count - MostRows} more");

    private static IEnumerable<string> NotRun(SelectionSummary selection) => selection.NotRun.Count == 0 ? []
        : [$"changed, run by no benchmark: {string.Join(", ", selection.NotRun)}"
            + (selection.MoreNotRun > 0 ? Invariant($" and {selection.MoreNotRun} more") : "")];
}
