using PerfLab.Core.Reporting.Text;

namespace PerfLab.Core.Reporting.Curves;

/// <summary>One point of a curve as the texts of a table row; names and units still as raw as they came.</summary>
/// <param name="Series">Name of the line; empty when there is one.</param>
/// <param name="X">"10", "1 (reference)".</param>
/// <param name="Value">"48.70 M msg/s", all points of a curve in one prefix.</param>
/// <param name="Interval">"[47.10, 49.90]", "-" with too few launches.</param>
/// <param name="Change">Against the reference of its cell, "+3.1 % [+2.4, +3.8]".</param>
/// <param name="Launches">Counted launches.</param>
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
                Percent.Change(pair.Point.Compared?.Change, pair.Point.Compared?.Low, pair.Point.Compared?.High),
                pair.Point.Launches.ToString(CultureInfo.InvariantCulture));
        })];
    }

    private static double?[] Numbers(CurvePoint point) => [point.Value, point.Low, point.High];

    /// <summary>The unit once is enough.</summary>
    private static string Between(string low, string high) => low == "-" ? low : $"[{Digits(low)}, {Digits(high)}]";

    private static string Digits(string quantity) => quantity.IndexOf(' ', StringComparison.Ordinal) is var end && end < 0 ? quantity : quantity[..end];
}
