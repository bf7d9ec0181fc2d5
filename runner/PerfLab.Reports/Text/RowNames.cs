using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Reports.Text;

/// <summary>What rows are called in a sentence: each by what tells it from the others.</summary>
/// <param name="rows">All that could be named.</param>
/// <param name="cells">Who they are about.</param>
public sealed class RowNames(IReadOnlyList<ComparedMetric> rows, IReadOnlyList<Cell> cells)
{
    private readonly CellLabels _labels = new(cells);

    private string[] All => field ??= [.. rows.Select(row => _labels.Of(row.Cell)).Distinct(StringComparer.Ordinal)];

    /// <summary>Null where nobody described the cell, or where its name could be more than text.</summary>
    public string? Of(ComparedMetric row) =>
        cells.Any(cell => cell.Id == row.Cell) ? PlainName.Among(_labels.Of(row.Cell), All) : null;

    /// <summary>What reports call each cell, by its id. Untrusted.</summary>
    public static IReadOnlyDictionary<string, string> Full(IReadOnlyList<Cell> cells)
    {
        var labels = new CellLabels(cells);
        return cells.Select(cell => cell.Id).Distinct(StringComparer.Ordinal).ToDictionary(id => id, labels.Of, StringComparer.Ordinal);
    }

    /// <summary>The largest change first, whichever way.</summary>
    public static IEnumerable<ComparedMetric> LargestFirst(IEnumerable<ComparedMetric> rows) =>
        rows.OrderByDescending(row => Math.Abs(Math.Log(1 + (row.Change ?? 0))));
}
