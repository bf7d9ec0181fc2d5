using PerfLab.Core.Model;
using PerfLab.Reports.Svg;
using PerfLab.Reports.Text;

namespace PerfLab.Reports.Site;

/// <summary>A place in a series that is worth a line.</summary>
/// <param name="IsOfMachine">A step of the machine, not of the program.</param>
public sealed record SeriesMark(DateTimeOffset At, string Label, bool IsOfMachine);

/// <summary>
/// A series over time: its change against the anchor with interval, or the values of both. What changed is a line with a number, what the
/// machine
/// did a line with an m: the page says each in words.
/// </summary>
public static class SeriesSvg
{
    private const double Width = 800, Left = 84, Right = 20, Top = 46, Height = 250, Bottom = 44, Plot = Width - Left - Right;
    private const int MostDots = 120;

    public static string Changes(SiteSeries series, IReadOnlyList<SiteSession> sessions, IReadOnlyList<SeriesMark> marks)
    {
        var points = series.OnOneLine(sessions).Where(point => point.Change is { } change && double.IsFinite(change)).ToList();
        var axis = ChangeAxis.Of(points.SelectMany(point => new[] { point.Change, point.Low, point.High }).OfType<double>(),
            series.Name.Unit);
        var time = new TimeAxis([.. points.Select(point => sessions[point.Session].Started)]);
        var against = points.Exists(point => sessions[point.Session].Kind == SiteSession.Trend) ? "the anchor"
            : "what each session compared it with";
        var svg = Open("changes", $"Change against {against}, and its interval; up is {Percent.Worse(series.Name.Unit)}",
            $"{Counted.Of(points.Count, "session")}{(points.Count > 0 ? $", the newest {Change(points[^1], series.Name.Unit)}" : "")}.");
        foreach (var (place, label) in axis.Ticks)
        {
            Grid(svg, Y(place), label, label == "0");
        }

        double X(SitePoint point) => time.X(sessions[point.Session].Started);
        Band(svg, [.. points.Where(point => point is { Low: not null, High: not null })
            .Select(point => (X(point), Y(axis.Place(point.Low!.Value)), Y(axis.Place(point.High!.Value))))]);
        Line(svg, 0, [.. points.Select(point => (X(point), Y(axis.Place(point.Change!.Value)),
            $"{Named(point, sessions)}: {Change(point, series.Name.Unit)}"))]);
        return Close(svg, time, marks);
    }

    public static string Values(SiteSeries series, IReadOnlyList<SiteSession> sessions, IReadOnlyList<SeriesMark> marks)
    {
        var points = series.OnOneLine(sessions).Where(point => point.Value is >= 0 && double.IsFinite(point.Value.Value)).ToList();
        double[] shown = [.. points.SelectMany(point => new[] { point.Value, point.ReferenceValue }).OfType<double>()
            .Where(double.IsFinite)];
        var (factor, unit) = Quantity.Scale(series.Name.Unit, shown.Select(Math.Abs).DefaultIfEmpty(1).Max());
        // One value says nothing about a scale: it is shown from 0.
        var axis = Axis.Of([.. shown.Select(value => Math.Max(0, value / factor)), .. shown.Distinct().Count() == 1 ? new[] { 0.0 } : []]);
        var time = new TimeAxis([.. points.Select(point => sessions[point.Session].Started)]);
        var words = axis.HidesZero ? ", not from 0" : axis.IsLog ? ", logarithmic" : "";
        var hasReference = points.Exists(point => point.ReferenceValue is { } value && double.IsFinite(value));
        var svg = Open("values",
            $"{series.Name.Metric} in {(unit.Length == 0 ? "no unit" : unit)}{words}"
                + (hasReference ? "; circles: measured, squares: reference" : ""),
            $"Medians of {Counted.Of(points.Count, "session")}.");
        foreach (var tick in axis.Ticks)
        {
            Grid(svg, Y(axis.Place(tick)), Axis.Label(tick), isZero: false);
        }

        double X(SitePoint point) => time.X(sessions[point.Session].Started);
        double Place(double value) => Y(Math.Clamp(axis.Place(Math.Max(axis.Low, value / factor)), 0, 1));
        Line(svg, 1, [.. points.Where(point => point.ReferenceValue is { } value && double.IsFinite(value))
            .Select(point => (X(point), Place(point.ReferenceValue!.Value),
                $"{SiteNames.Commit(point.Reference)}: {Quantity.Format(series.Name.Unit, point.ReferenceValue)[0]}"))]);
        Line(svg, 0, [.. points.Select(point => (X(point), Place(point.Value!.Value),
            $"{Named(point, sessions)}: {Quantity.Format(series.Name.Unit, point.Value)[0]}"))]);
        return Close(svg, time, marks);
    }

    /// <summary>What a pointer on a mark is told: "2026-05-21 03:00, a1b2c3d4e5f6".</summary>
    private static string Named(SitePoint point, IReadOnlyList<SiteSession> sessions) =>
        $"{SiteNames.Day(sessions[point.Session].Started)}, {SiteNames.Commit(point.Commit)}";

    private static string Change(SitePoint point, string unit) =>
        Percent.Change(SeriesPage.Fraction(point.Change), SeriesPage.Fraction(point.Low), SeriesPage.Fraction(point.High), unit);

    private static double Y(double place) => Top + ((1 - place) * Height);

    private static SvgWriter Open(string name, string title, string description)
    {
        var svg = new SvgWriter(isInPage: true);
        var height = Top + Height + Bottom;
        svg.Open("svg", ("xmlns", "http://www.w3.org/2000/svg"), ("width", Width), ("height", height),
            ("viewBox", $"0 0 {SvgWriter.Number(Width)} {SvgWriter.Number(height)}"), ("role", "img"),
                ("aria-labelledby", $"{name}-title {name}-desc"));
        svg.Text("title", title, ("id", $"{name}-title"));
        svg.Text("desc", description, ("id", $"{name}-desc"));
        svg.Text("text", UntrustedText.Line(title, 110), ("class", "note"), ("x", Left), ("y", 16.0));
        return svg;
    }

    private static void Grid(SvgWriter svg, double y, string label, bool isZero)
    {
        svg.Empty("line", ("class", isZero ? "line axis" : "grid"), ("x1", Left), ("x2", Left + Plot), ("y1", y), ("y2", y));
        svg.Text("text", label, ("class", "faint"), ("x", Left - 8), ("y", y + 4.5), ("text-anchor", "end"));
    }

    private static void Band(SvgWriter svg, List<(double X, double Low, double High)> places)
    {
        if (places.Count > 1)
        {
            var corners = places.Select(place => (place.X, Y: place.High)).Concat(Enumerable.Reverse(places)
                .Select(place => (place.X, Y: place.Low)));
            svg.Empty("polygon", ("class", "band f0"),
                ("points", string.Join(' ', corners.Select(corner => $"{Short(corner.X)},{Short(corner.Y)}"))));
        }
        else if (places is [var only])
        {
            svg.Empty("line", ("class", "bar s0"), ("x1", only.X), ("x2", only.X), ("y1", only.Low), ("y2", only.High));
        }
    }

    /// <param name="svg">Where to.</param>
    /// <param name="series">Colour, mark and dash.</param>
    /// <param name="places">Where its points lie, and what each says to a pointer.</param>
    private static void Line(SvgWriter svg, int series, List<(double X, double Y, string Said)> places)
    {
        if (places.Count > 1)
        {
            svg.Empty("path", ("class", $"line s{series} d{(series == 0 ? 0 : 2)}"),
                ("d", "M" + string.Join('L', places.Select(place => $"{Short(place.X)} {Short(place.Y)}"))));
        }

        // With more, marks would be all there is to see.
        if (places.Count <= MostDots)
        {
            foreach (var (x, y, said) in places)
            {
                if (series == 0)
                {
                    svg.Mark("circle", said, ("class", "m0"), ("cx", x), ("cy", y), ("r", 3.0));
                }
                else
                {
                    svg.Mark("rect", said, ("class", "m1"), ("x", x - 2.6), ("y", y - 2.6), ("width", 5.2), ("height", 5.2));
                }
            }
        }
    }

    private static string Close(SvgWriter svg, TimeAxis time, IReadOnlyList<SeriesMark> marks)
    {
        foreach (var mark in marks.Where(mark => time.Holds(mark.At)))
        {
            var x = time.X(mark.At);
            svg.Empty("line", ("class", "event"), ("x1", x), ("x2", x), ("y1", Top - 6), ("y2", Top + Height));
            svg.Text("text", mark.Label, ("class", mark.IsOfMachine ? "note faint" : "name"), ("x", x), ("y", Top - 10),
                ("text-anchor", "middle"));
        }

        foreach (var (x, label) in time.Ticks)
        {
            svg.Text("text", label, ("class", "faint"), ("x", x), ("y", Top + Height + 20), ("text-anchor", "middle"));
        }

        svg.Close();
        return svg.ToString();
    }

    /// <summary>A tenth of a pixel, because a year has many points and a site many series.</summary>
    private static string Short(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);

    private sealed class TimeAxis
    {
        private readonly long _from, _to;

        public TimeAxis(IReadOnlyList<DateTimeOffset> times)
        {
            (_from, _to) = times.Count == 0 ? (0, 0) : (times.Min().UtcTicks, times.Max().UtcTicks);
            var count = _to > _from ? 5 : Math.Min(1, times.Count);
            Ticks = [.. Enumerable.Range(0, count).Select(index => count == 1 ? _from : _from + ((_to - _from) / 4 * index))
                .Select(ticks => (Math.Clamp(At(ticks), Left + 30, Left + Plot - 30), new DateTime(ticks, DateTimeKind.Utc)
                .ToString("yyyy-MM-dd", CultureInfo.InvariantCulture)))
                .DistinctBy(tick => tick.Item2, StringComparer.Ordinal)];
        }

        public IReadOnlyList<(double X, string Label)> Ticks { get; }

        /// <summary>Whether it lies between the first point and the last: a mark at the edge would be at a time of its own.</summary>
        public bool Holds(DateTimeOffset time) => time.UtcTicks >= _from && time.UtcTicks <= _to;

        public double X(DateTimeOffset time) => At(time.UtcTicks);

        private double At(long ticks) => Left + (_to > _from ? Math.Clamp((double)(ticks - _from) / (_to - _from), 0, 1) * Plot : Plot / 2);
    }
}
