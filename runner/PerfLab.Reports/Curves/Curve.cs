using PerfLab.Core.Model;
using PerfLab.Reports.Text;
using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Reports.Curves;

/// <summary>One arm of one cell as a point: the median over its counted launches, with the interval of that median.</summary>
public sealed record CurvePoint
{
    /// <summary>The value of the dimension along the curve, as it was written.</summary>
    public required string X { get; init; }

    /// <summary>The same as a number; null when the dimension is no number.</summary>
    public double? Number { get; init; }
    public required string Cell { get; init; }
    public required string Arm { get; init; }

    /// <summary>In the metric's unit; null when no launch was measured.</summary>
    public double? Value { get; init; }
    public double? Low { get; init; }
    public double? High { get; init; }
    public required int Launches { get; init; }

    /// <summary>The other points of its cell are held against this one.</summary>
    public required bool IsReference { get; init; }

    /// <summary>The paired comparison with the reference; null for the reference itself and in a session of one arm.</summary>
    public ComparedMetric? Compared { get; init; }
}

/// <summary>One line of a chart.</summary>
/// <param name="Name">What sets it apart from the others, "net10.0.14, pgo on"; empty when there is one. Untrusted.</param>
/// <param name="Points">By number, or in the order of the plan.</param>
public sealed record CurveSeries(string Name, IReadOnlyList<CurvePoint> Points);

/// <summary>One metric of one workload along one dimension, a line for each combination of the others.</summary>
public sealed record Curve
{
    /// <summary>"curve-channel-actors-throughput": the picture's name, [a-z0-9-].</summary>
    public required string Name { get; init; }
    public required string Workload { get; init; }
    public required Metric Metric { get; init; }

    /// <summary>The dimension or parameter along which it goes.</summary>
    public required string Dimension { get; init; }

    /// <summary>Whether its values are numbers: then it is a curve, otherwise points side by side.</summary>
    public required bool IsNumeric { get; init; }

    /// <summary>"batch=1" when every cell has the same reference; null when there is none, or several.</summary>
    public string? Reference { get; init; }

    /// <summary>What is the same at every point and worth saying, "net10.0.14, pgo on". Untrusted.</summary>
    public required string Fixed { get; init; }
    public required IReadOnlyList<CurveSeries> Series { get; init; }

    /// <summary>Least coverage of the points' intervals, a fraction.</summary>
    public required double Coverage { get; init; }
}

/// <summary>A picture's name is also a file's, and its parts come from a journal: only a-z, 0-9 and - get in.</summary>
internal static class PictureName
{
    public static string Of(params IEnumerable<string> parts) => string.Join('-', parts
        .Select(part => new string([.. part.ToLowerInvariant().Select(letter => char.IsAsciiLetterOrDigit(letter) ? letter : '-').Take(60)]).Trim('-'))
        .Where(part => part.Length > 0));
}

/// <summary>One point of a curve as the texts of a table row; names and units still as raw as they came.</summary>
/// <param name="Series">Name of the line; empty when there is one.</param>
/// <param name="X">"10", "1 (reference)".</param>
/// <param name="Value">"48.70 M msg/s", all points of a curve in one prefix.</param>
/// <param name="Interval">"[47.10, 49.90]", "-" with too few launches.</param>
/// <param name="Change">Against the reference of its cell, "+3.1 % [+2.4, +3.8]".</param>
public sealed record CurveRow(string Series, string X, string Value, string Interval, string Change, string Launches)
{
    public static IReadOnlyList<CurveRow> Of(Curve curve)
    {
        var points = curve.Series.SelectMany(series => series.Points.Select(point => (series.Name, Point: point))).ToList();
        double[] shown = [.. points.SelectMany(pair => Numbers(pair.Point)).OfType<double>()];
        // One prefix makes a column readable, unless the values span so much that it would fit few of them.
        var isNarrow = shown.Length == 0 || shown.Max() < 1000 * shown.Min();
        var together = isNarrow ? new Queue<string>(Quantity.Format(curve.Metric.Unit, [.. points.SelectMany(pair => Numbers(pair.Point))])) : null;
        return [.. points.Select(pair =>
        {
            var texts = together ?? new Queue<string>(Quantity.Format(curve.Metric.Unit, Numbers(pair.Point)));
            return new CurveRow(
                pair.Name,
                pair.Point.IsReference ? $"{pair.Point.X} (reference)" : pair.Point.X,
                texts.Dequeue(),
                Between(texts.Dequeue(), texts.Dequeue()),
                Percent.Change(pair.Point.Compared?.Change, pair.Point.Compared?.Low, pair.Point.Compared?.High, curve.Metric.Unit),
                pair.Point.Launches.ToString(CultureInfo.InvariantCulture));
        })];
    }

    private static double?[] Numbers(CurvePoint point) => [point.Value, point.Low, point.High];

    /// <summary>The unit once is enough.</summary>
    private static string Between(string low, string high) => low == "-" ? low : $"[{Digits(low)}, {Digits(high)}]";

    private static string Digits(string quantity) => quantity.IndexOf(' ') is var end && end < 0 ? quantity : quantity[..end];
}
