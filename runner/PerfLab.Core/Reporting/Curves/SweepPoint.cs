using PerfLab.Core.Model;

namespace PerfLab.Core.Reporting.Curves;

/// <summary>An arm of a cell with the value of every dimension and parameter, its own and the cell's.</summary>
internal sealed record SweepPoint(Cell Cell, Arm Arm, IReadOnlyDictionary<string, string> Values)
{
    public static IEnumerable<SweepPoint> Of(Cell cell) => cell.Arms.Select(arm => new SweepPoint(cell, arm, cell.ValuesOf(arm)));

    /// <summary>The value as a plain number ("10", "0.5"), or null.</summary>
    public static double? Number(string text) =>
        double.TryParse(text, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number)
            ? number : null;

    /// <summary>"net10.0.14, pgo on": a runtime speaks for itself.</summary>
    public string Label(IEnumerable<string> dimensions) => string.Join(", ", dimensions.Where(Values.ContainsKey)
        .Select(dimension => dimension is "runtime" or "framework" ? Values[dimension] : $"{dimension} {Values[dimension]}"));
}
