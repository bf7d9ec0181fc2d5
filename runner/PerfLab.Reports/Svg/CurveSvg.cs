using PerfLab.Core.Model;
using PerfLab.Reports.Curves;
using PerfLab.Reports.Text;

namespace PerfLab.Reports.Svg;

/// <summary>A curve as a picture: a line for each series with the interval of every point; points side by side when the dimension is no number.</summary>
public static class CurveSvg
{
    /// <summary>Pixels between the whiskers of neighbouring series at one place, so that none hides another.</summary>
    private const double Aside = 5;
    private const double AsideByName = 22;

    /// <summary>The picture; of more series than there are colours, the first.</summary>
    public static string Render(Curve curve) => Render(curve, isInPage: false);

    internal static string Render(Curve curve, bool isInPage)
    {
        var svg = new SvgWriter(isInPage);
        var series = curve.Series.Take(Palette.Count).ToList();
        double[] shown = [.. series.SelectMany(one => one.Points).SelectMany(point => new[] { point.Value, point.Low, point.High }).OfType<double>()];
        var (factor, unit) = Quantity.Scale(curve.Metric.Unit, Magnitude(shown));
        var vertical = Axis.Of([.. shown.Select(value => value / factor)]);
        var places = Places(curve, series);
        var frame = new ChartFrame(Text(curve, series, vertical, unit) with { Places = curve.IsNumeric ? [] : [.. places.Ticks.Select(tick => tick.Label)] }, series.Select(one => one.Name));
        frame.Open(svg);
        frame.DrawVertical(svg, vertical, $"{curve.Metric.Name} ({(unit.Length == 0 ? "no unit" : unit)})");
        var inMebibytes = curve.IsNumeric && series.SelectMany(one => one.Points).Any(point => MemoryText.Bytes(point.X) is not null);
        frame.DrawHorizontal(svg, places.Ticks,
            curve.Dimension + (inMebibytes ? " (MiB)" : "") + (places.IsLog ? " (logarithmic)" : ""));
        var ends = new List<LineEnd>();
        for (var index = 0; index < series.Count; index++)
        {
            var aside = (index - ((series.Count - 1) / 2.0)) * (curve.IsNumeric ? Aside : Math.Min(AsideByName, 0.6 * frame.PlotWidth / places.Ticks.Count / series.Count));
            var drawn = series[index].Points.Select(point => new DrawnPoint(frame.X(places.Of(point)) + aside, Place(point.Value), Place(point.Low), Place(point.High))).ToList();
            Draw(svg, index, drawn, curve.IsNumeric);
            if (drawn.FindLast(point => point.Y is not null) is { Y: { } end } last)
            {
                ends.Add(new(index, series[index].Name, last.X, end));
            }
        }

        frame.DrawNames(svg, ends);
        svg.Close();
        return svg.ToString();

        double? Place(double? value) => value is { } number ? frame.Y(vertical.Place(number / factor)) : null;
    }

    /// <summary>The axis gets the unit of its largest value, and over decades that of the middle one: neither end shall be all zeros.</summary>
    private static double Magnitude(double[] shown) => shown.Length == 0 ? 1
        : Axis.SpansDecades(shown) ? Math.Sqrt(shown.Min() * shown.Max())
        : shown.Max();

    private static void Draw(SvgWriter svg, int series, List<DrawnPoint> points, bool isLine)
    {
        svg.Open("g");
        foreach (var point in points.Where(point => point is { Low: not null, High: not null }))
        {
            svg.Empty("path", ("class", $"bar s{series}"), ("fill", "none"), ("d", Invariant($"M{N(point.X - 4)} {N(point.Low)} H{N(point.X + 4)} M{N(point.X)} {N(point.Low)} V{N(point.High)} M{N(point.X - 4)} {N(point.High)} H{N(point.X + 4)}")));
        }

        if (isLine && Line(points) is { Length: > 0 } line)
        {
            svg.Empty("path", ("class", $"line s{series} d{series}"), ("d", line));
        }

        foreach (var point in points.Where(point => point.Y is not null))
        {
            Marks.Draw(svg, series, point.X, point.Y!.Value);
        }

        svg.Close();
    }

    /// <summary>Broken where a point was not measured: a line across would claim to know it.</summary>
    private static string Line(List<DrawnPoint> points) => string.Join(' ', points.Select((point, index) => point.Y is null ? ""
        : $"{(index > 0 && points[index - 1].Y is not null ? "L" : "M")}{N(point.X)} {N(point.Y)}").Where(step => step.Length > 0));

    private static string N(double? value) => SvgWriter.Number(value!.Value);

    private static (Func<CurvePoint, double> Of, IReadOnlyList<(double Place, string Label)> Ticks, bool IsLog) Places(Curve curve, List<CurveSeries> series)
    {
        var points = series.SelectMany(one => one.Points).ToList();
        if (curve.IsNumeric)
        {
            var axis = Axis.Along([.. points.Select(point => point.Number!.Value)]);
            return (point => axis.Place(point.Number!.Value), [.. axis.Ticks.Select(tick => (axis.Place(tick), Axis.Label(tick)))], axis.IsLog);
        }

        var names = points.Select(point => point.X).Distinct(StringComparer.Ordinal).ToList();
        double Middle(string name) => (names.IndexOf(name) + 0.5) / names.Count;
        return (point => Middle(point.X), [.. names.Select(name => (Middle(name), name))], false);
    }

    private static ChartText Text(Curve curve, List<CurveSeries> series, Axis vertical, string unit)
    {
        var better = curve.Metric.Better == Better.Higher ? "higher is better" : "lower is better";
        string[] notes =
        [
            curve.Fixed,
            $"median of {Launches(series)}, {Percent.Constant(curve.Coverage)} interval",
            better,
            vertical.HidesZero ? "the axis does not begin at 0" : vertical.IsLog ? "logarithmic axis" : "",
            curve.Series.Count > series.Count ? Invariant($"{series.Count} of {curve.Series.Count} lines") : "",
        ];
        return new(
            curve.Name,
            $"{curve.Workload}: {curve.Metric.Name} by {curve.Dimension}",
            string.Join("  ·  ", notes.Where(note => note.Length > 0)),
            $"{curve.Metric.Name} in {unit} by {curve.Dimension}, {better}. " + string.Join(" ", series.Select(one => Describe(curve, one))));
    }

    private static string Describe(Curve curve, CurveSeries series)
    {
        var values = series.Points.Select(point => $"{point.X}: {Quantity.Format(curve.Metric.Unit, point.Value)[0]}");
        return $"{(series.Name.Length == 0 ? "Values" : series.Name)}: {string.Join("; ", values)}.";
    }

    private static string Launches(List<CurveSeries> series)
    {
        var counts = series.SelectMany(one => one.Points).Select(point => point.Launches).Where(count => count > 0).Distinct().Order().ToList();
        return counts.Count switch { 0 => "no launches", 1 => Counted.Of(counts[0], "launch"), _ => Invariant($"{counts[0]} to {counts[^1]} launches") };
    }

    private sealed record DrawnPoint(double X, double? Y, double? Low, double? High);
}
