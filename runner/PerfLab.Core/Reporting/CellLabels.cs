using PerfLab.Core.Measurements;

namespace PerfLab.Core.Reporting;

/// <summary>
/// Names of cells for people: "json-round-trip / net10.0.14 / pgo on". Runtime and PGO always; other dimensions and parameters only
/// where they tell the workload's cells apart. Cells that nobody described are shown by id.
/// </summary>
internal sealed class CellLabels
{
    private static readonly string[] Always = ["runtime", "pgo"];

    private readonly Dictionary<string, string> _labels = new(StringComparer.Ordinal);

    public CellLabels(IReadOnlyList<Cell> cells)
    {
        foreach (var workload in cells.GroupBy(cell => cell.Workload, StringComparer.Ordinal))
        {
            var varying = Varying([.. workload]);
            foreach (var cell in workload)
            {
                _labels[cell.Id] = Label(cell, varying);
            }
        }

        foreach (var twins in _labels.GroupBy(pair => pair.Value, StringComparer.Ordinal).Where(group => group.Count() > 1).ToList())
        {
            foreach (var (id, label) in twins)
            {
                _labels[id] = $"{label} ({id})";
            }
        }
    }

    public string Of(string cell) => _labels.GetValueOrDefault(cell, cell);

    private static HashSet<string> Varying(List<Cell> cells) =>
        [.. cells.SelectMany(Points).GroupBy(point => point.Key, StringComparer.Ordinal)
            .Where(values => values.Count() < cells.Count || values.Select(point => point.Value).Distinct(StringComparer.Ordinal).Skip(1).Any())
            .Select(values => values.Key)];

    private static string Label(Cell cell, HashSet<string> varying)
    {
        var shown = Points(cell).Where(point => varying.Contains(point.Key) || Always.Contains(point.Key, StringComparer.Ordinal))
            .OrderBy(point => Place(point.Key)).ThenBy(point => point.Key, StringComparer.Ordinal)
            .Select(point => string.Equals(point.Key, "runtime", StringComparison.Ordinal) ? point.Value : $"{point.Key} {point.Value}");
        return string.Join(" / ", shown.Prepend(cell.Workload));
    }

    private static int Place(string dimension)
    {
        var place = Array.IndexOf(Always, dimension);
        return place < 0 ? Always.Length : place;
    }

    private static IEnumerable<KeyValuePair<string, string>> Points(Cell cell) => cell.Dimensions.Concat(cell.Parameters);
}
