using System.Text.RegularExpressions;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Reports.Text;

namespace PerfLab.Reports;

/// <summary>
/// Whose bytes changed, and by how many: "allocates 24 B more: Parse", "4 allocate more: Parse +232 B, Scan +24 B and 2 others".
/// </summary>
internal static partial class AllocationWords
{
    private const int MostNamed = 3;

    public static IEnumerable<string> Of(IReadOnlyList<ComparedMetric> rows, IReadOnlyList<Cell> cells)
    {
        var names = Names(cells);
        var moved = rows.Select(row =>
            new Moved(names.GetValueOrDefault(row.Cell), Allocations.Moved(row), Unit(row)))
            .Where(row => row.Bytes != 0).OrderByDescending(row => Math.Abs(row.Bytes)).ToList();
        var (more, less) = (moved.FindAll(row => row.Bytes > 0), moved.FindAll(row => row.Bytes < 0));
        return [.. more.Count > 0 ? [Sentence(more, "more")] : Array.Empty<string>(), .. less.Count > 0 ? [Sentence(less, "less")]
            : Array.Empty<string>()];
    }

    private sealed record Moved(string? Name, double Bytes, string Unit)
    {
        public string Amount => Number(Math.Abs(Bytes)) + Unit;
        public string Signed => (Bytes > 0 ? "+" : "-") + Amount;
    }

    private static string Sentence(List<Moved> rows, string word)
    {
        var allocate = rows.Count == 1 ? "allocates" : Invariant($"{rows.Count} allocate");
        var amounts = rows.Select(row => row.Amount).Distinct(StringComparer.Ordinal).ToList();
        var what = amounts.Count == 1 ? $"{allocate} {amounts[0]} {word}" : $"{allocate} {word}";
        var named = rows.Where(row => row.Name is not null)
            .GroupBy(row => amounts.Count == 1 ? row.Name! : $"{row.Name} {row.Signed}", StringComparer.Ordinal).Take(MostNamed).ToList();
        var others = rows.Count - named.Sum(group => group.Count());
        var also = others == 0 ? "" : others == 1 ? " and 1 other" : Invariant($" and {others} others");
        return named.Count == 0 ? rows.Count == 1 ? $"1 {what}" : what
            : $"{what}: {string.Join(", ", named.Select(group => group.Key))}{also}";
    }

    /// <summary>By cell the method, with its class where another class has one of that name; null where it can't be said.</summary>
    private static Dictionary<string, string?> Names(IReadOnlyList<Cell> cells)
    {
        var names = new Dictionary<string, string?>(StringComparer.Ordinal);
        foreach (var alike in cells.GroupBy(CellLabels.Short, StringComparer.Ordinal))
        {
            var isOfSeveral = alike.Select(CellLabels.WithClass).Distinct(StringComparer.Ordinal).Skip(1).Any();
            foreach (var cell in alike)
            {
                names[cell.Id] = PlainName.Of(isOfSeveral ? CellLabels.WithClass(cell) : alike.Key);
            }
        }

        return names;
    }

    private static string Number(double bytes) => bytes >= 1
        ? Math.Round(bytes, 3).ToString("0.###", CultureInfo.InvariantCulture) : bytes.ToString("G3", CultureInfo.InvariantCulture);

    /// <summary>" B" of "B/op": how much work it is for stands in the table.</summary>
    private static string Unit(ComparedMetric row) => row.Unit.Split('/')[0] is var unit && Letters().IsMatch(unit) ? $" {unit}" : "";

    [GeneratedRegex(@"^[A-Za-z]{1,6}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Letters();
}
