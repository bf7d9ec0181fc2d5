using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Reports.Text;

/// <summary>
/// Names of cells for people: "json-round-trip / net10.0.14 / pgo on". Runtime, PGO, that it is measured cold, and limits that somebody
/// asked for always; other dimensions and parameters only where they tell the workload's cells apart, and knobs only where somebody chose them. A benchmark of BenchmarkDotNet goes by its own
/// name. Cells that nobody described are shown by id.
/// </summary>
internal sealed class CellLabels
{
    private static readonly string[] Always = [WorkloadDimensions.Runtime, RuntimeKnobs.Pgo, Cell.Age, .. LimitDimensions.Names];

    private readonly Dictionary<string, string> _labels = new(StringComparer.Ordinal);

    public CellLabels(IReadOnlyList<Cell> cells)
    {
        var telling = cells.GroupBy(cell => cell.Workload, StringComparer.Ordinal).ToDictionary(workload => workload.Key, workload => Telling([.. workload]), StringComparer.Ordinal);
        foreach (var alike in cells.GroupBy(cell => Label(cell, telling[cell.Workload]), StringComparer.Ordinal))
        {
            // Planning splits a cell when some of its arms can't run there: then the rows still tell them apart, because they name different arms.
            var isClear = alike.SelectMany(RowArms).Distinct(StringComparer.Ordinal).Count() == alike.Sum(cell => RowArms(cell).Count());
            foreach (var cell in alike)
            {
                _labels[cell.Id] = isClear ? alike.Key : $"{alike.Key} ({cell.Id})";
            }
        }
    }

    public string Of(string cell) => _labels.GetValueOrDefault(cell, cell);

    /// <summary>The arms that a report has rows of.</summary>
    private static IEnumerable<string> RowArms(Cell cell) => cell.Arms.Skip(cell.Arms.Count > 1 ? 1 : 0).Select(arm => arm.Id);

    /// <summary>The dimensions and parameters that differ between cells, and not only because of others.</summary>
    private static HashSet<string> Telling(List<Cell> cells)
    {
        var following = FollowingKnobs.Of([.. cells.SelectMany(cell => cell.Arms.Select(cell.ValuesOf))]);
        return [.. cells.SelectMany(Points).GroupBy(point => point.Key, StringComparer.Ordinal)
            .Where(values => values.Count() < cells.Count || values.Select(point => point.Value).Distinct(StringComparer.Ordinal).Skip(1).Any())
            .Select(values => values.Key).Where(name => !following.Contains(name))];
    }

    private static string Label(Cell cell, HashSet<string> telling)
    {
        var shown = Points(cell).Where(point => point.Key != BenchmarkCases.Parameter)
            .Where(point => telling.Contains(point.Key) || Always.Contains(point.Key, StringComparer.Ordinal))
            .OrderBy(point => Place(point.Key)).ThenBy(point => point.Key, StringComparer.Ordinal)
            .Select(point => point.Key == WorkloadDimensions.Runtime ? point.Value : $"{point.Key} {point.Value}");
        return string.Join(" / ", shown.Prepend(WithClass(cell)));
    }

    /// <summary>The method alone, "Numbers(count: 10)", for a sentence that has no room for more; the workload of what is no
    /// benchmark. Two cells may share it. Untrusted.</summary>
    public static string Short(Cell cell) => Benchmark(cell, name => LastParts(name, 1)) ?? cell.Workload;

    /// <summary>Class and method, "Parsing.Numbers(count: 10)"; the workload of what is no benchmark. Untrusted.</summary>
    public static string WithClass(Cell cell) => Benchmark(cell, name => LastParts(name, 2)) ?? cell.Workload;

    /// <summary>
    /// "Parsing.Scan"; "Parsing.Scan against Parsing.Split" where each arm names its own, of several arms "several against Parsing.Split";
    /// null for what is no benchmark.
    /// </summary>
    private static string? Benchmark(Cell cell, Func<string, string> shortened)
    {
        if (cell.Parameters.GetValueOrDefault(BenchmarkCases.Parameter) is { } shared)
        {
            return shortened(shared);
        }

        var own = cell.Arms.Select(arm => arm.Dimensions.GetValueOrDefault(BenchmarkCases.Parameter)).OfType<string>()
            .Distinct(StringComparer.Ordinal).ToList();
        return cell.Reference.Dimensions.GetValueOrDefault(BenchmarkCases.Parameter) is not { } reference ? null : own switch
        {
            [var only] => shortened(only),
            [_, var other] => $"{shortened(other)} against {shortened(reference)}",
            _ => $"several against {shortened(reference)}",
        };
    }

    /// <summary>
    /// "Parsing.Numbers(count: 10)" of "My.Benchmarks.Parsing.Numbers(count: 10)"; where that is the name of two, their ids tell them
    /// apart.
    /// </summary>
    private static string LastParts(string benchmark, int parts)
    {
        var start = benchmark.IndexOf('(') is > 0 and var bracket ? bracket : benchmark.Length;
        for (; parts > 0 && start > 0; parts--)
        {
            start = benchmark.LastIndexOf('.', start - 1);
        }

        // Nothing was cut off, and there may be nothing at all.
        return start == benchmark.Length ? benchmark : benchmark[(start + 1)..];
    }

    private static int Place(string dimension)
    {
        var place = Array.IndexOf(Always, dimension);
        return place < 0 ? Always.Length : place;
    }

    private static IEnumerable<KeyValuePair<string, string>> Points(Cell cell) => cell.Dimensions.Concat(cell.Parameters);
}
