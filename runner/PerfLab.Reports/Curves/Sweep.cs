using PerfLab.Core.Model;
using PerfLab.Core.Planning;

namespace PerfLab.Reports.Curves;

/// <summary>
/// Along which dimension the cells and arms of one workload make a curve. What the arms differ in comes first (`--vary`), then numbers, then
/// what has the most values; with fewer than three values there is no curve to draw.
/// </summary>
internal sealed class Sweep
{
    private const int LeastValues = 3;

    private Sweep(string dimension, IReadOnlyList<SweepPoint> points, IReadOnlyList<string> varying)
    {
        Dimension = dimension;
        IsNumeric = IsNumber(points, dimension);
        var following = FollowingKnobs.Of([.. points.Select(point => point.Values)]);
        Others = [.. varying.Where(name => name != dimension && !following.Contains(name) && !GoesAlong(points, dimension, name))];
        Fixed = points[0].Label(points[0].Values.Keys.Except(varying, StringComparer.Ordinal)
            .Where(name => name is "runtime" or "pgo" or "framework").OrderBy(name => name == "runtime" ? 0 : 1).ThenBy(name => name, StringComparer.Ordinal));
    }

    public string Dimension { get; }
    public bool IsNumeric { get; }

    /// <summary>
    /// The other dimensions that somebody varied: a line for each of their combinations. Not those that come with the runtime, with another
    /// knob, or with the step from arm to arm: they would cut a line in pieces.
    /// </summary>
    public IReadOnlyList<string> Others { get; }
    public string Fixed { get; }

    public static Sweep? Of(IReadOnlyList<SweepPoint> points)
    {
        var varying = Varying(points);
        // Benchmarks side by side are no curve: each is a thing of its own.
        var dimension = varying.Where(name => name != BenchmarkCases.Parameter && points.All(point => point.Values.ContainsKey(name))
            && Values(points, name).Count >= LeastValues)
            .OrderByDescending(name => IsNumber(points, name))
            .ThenByDescending(name => points.Any(point => point.Arm.Dimensions.ContainsKey(name)))
            .ThenByDescending(name => Values(points, name).Count)
            .FirstOrDefault();
        return dimension is null ? null : new(dimension, points, varying);
    }

    /// <summary>Whether the arms step from value to value of both at once: who compares such arms means the step as a whole.</summary>
    private static bool GoesAlong(IReadOnlyList<SweepPoint> points, string dimension, string other) =>
        points.All(point => point.Arm.Dimensions.ContainsKey(dimension) && point.Arm.Dimensions.ContainsKey(other))
        && points.GroupBy(point => point.Values[dimension], StringComparer.Ordinal).All(step => Values([.. step], other).Count == 1);

    private static List<string> Varying(IReadOnlyList<SweepPoint> points) =>
        [.. points.SelectMany(point => point.Values.Keys).Distinct(StringComparer.Ordinal)
            .Where(name => Values(points, name).Count > 1)
            .OrderBy(name => name == "runtime" ? 0 : 1).ThenBy(name => name, StringComparer.Ordinal)];

    private static List<string> Values(IReadOnlyList<SweepPoint> points, string dimension) =>
        [.. points.Select(point => point.Values.GetValueOrDefault(dimension, "")).Distinct(StringComparer.Ordinal)];

    private static bool IsNumber(IReadOnlyList<SweepPoint> points, string dimension) =>
        points.All(point => point.Values.TryGetValue(dimension, out var text) && SweepPoint.Number(text) is not null);
}

/// <summary>An arm of a cell with the value of every dimension and parameter, its own and the cell's.</summary>
internal sealed record SweepPoint(Cell Cell, Arm Arm, IReadOnlyDictionary<string, string> Values)
{
    public static IEnumerable<SweepPoint> Of(Cell cell) => cell.Arms.Select(arm => new SweepPoint(cell, arm, cell.ValuesOf(arm)));

    /// <summary>The value as a plain number ("10", "0.5"); a size of memory in MiB (1024 for "1GiB"); or null.</summary>
    public static double? Number(string text) =>
        MemoryText.Bytes(text) is { } bytes ? bytes >> 20
        : double.TryParse(text, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
            && double.IsFinite(number)
            ? number : null;

    /// <summary>"net10.0.14, pgo on": a runtime speaks for itself.</summary>
    public string Label(IEnumerable<string> dimensions) => string.Join(", ", dimensions.Where(Values.ContainsKey)
        .Select(dimension => dimension is "runtime" or "framework" ? Values[dimension] : $"{dimension} {Values[dimension]}"));
}
