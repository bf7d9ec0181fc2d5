using PerfLab.Core.Model;
using PerfLab.Reports.Text;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Reports.Svg;

/// <summary>
/// One row as a picture. Above: every launch of both arms with median and quartiles. Below: the paired difference of every round, from the
/// first
/// to the last, with no change, the margin and the interval. Nothing is said by a colour alone: arms differ in mark, areas have edges and
/// words.
/// </summary>
public static class RowSvg
{
    private const double Width = 680, Left = 84, Right = 24, Plot = Width - Left - Right;
    private const double TitleHeight = 21, NoteHeight = 16, Strip = 38, AxisHeight = 40, DotSize = 3.4;
    private const int TitleColumns = 62, NoteColumns = 96, MostLines = 12;

    /// <summary>Pixels of a round in the lower part; many rounds move closer together.</summary>
    private const double MostRoundHeight = 13, LeastHeight = 72, MostHeight = 420;

    public static string Render(RowPicture picture) => Render(picture, isInPage: false);

    internal static string Render(RowPicture picture, bool isInPage)
    {
        var svg = new SvgWriter(isInPage);
        // A page has name and notes above the picture, where a phone breaks their lines.
        IReadOnlyList<string> title = isInPage ? [] : LineBreaks.Of(picture.Row.Cell, TitleColumns, MostLines);
        IReadOnlyList<string> notes = isInPage ? [] : Notes(picture);
        var top = (isInPage ? 8 : 24) + (TitleHeight * title.Count) + (NoteHeight * notes.Count);
        var hasPairs = picture.Row.Measured.Count > 0;
        var strips = picture.ReferenceValues.Count > 0 ? 2 : 1;
        var pairsTop = top + (strips * Strip) + AxisHeight + (hasPairs ? 34 : 0);
        var pairsHeight = hasPairs ? Math.Clamp(MostRoundHeight * picture.Row.Measured.Count, LeastHeight, MostHeight) : 0;
        var height = hasPairs ? pairsTop + pairsHeight + 34 + AxisHeight : pairsTop + 6;
        Open(svg, picture, height);
        Lines(svg, title, (16, 29), TitleHeight, "title");
        Lines(svg, notes, (16, 29 + (TitleHeight * (title.Count - 1)) + 19), NoteHeight, "note faint");
        Values(svg, picture, top + 10, strips);
        if (hasPairs)
        {
            Pairs(svg, picture, pairsTop, pairsHeight);
        }

        svg.Close();
        return svg.ToString();
    }

    private static void Open(SvgWriter svg, RowPicture picture, double height)
    {
        svg.Open("svg", ("xmlns", "http://www.w3.org/2000/svg"), ("width", Width), ("height", height),
            ("viewBox", $"0 0 {SvgWriter.Number(Width)} {SvgWriter.Number(height)}"),
            ("role", "img"), ("aria-labelledby", $"{picture.Name}-title {picture.Name}-desc"));
        svg.Text("title", $"{picture.Row.Cell}: {picture.Row.Verdict}", ("id", $"{picture.Name}-title"));
        svg.Text("desc", Description(picture), ("id", $"{picture.Name}-desc"));
        svg.Style(Palette.StyleSheet());
        svg.Empty("rect", ("class", "ground"), ("width", Width), ("height", height), ("rx", 8.0));
    }

    private static List<string> Notes(RowPicture picture)
    {
        var verdict = picture.Row.Measured.Count > 0 ? $"{picture.Row.Verdict}  ·  " : "";
        return [.. Facts(picture).SelectMany((fact, index) =>
            LineBreaks.Of(index == 0 ? verdict + fact : fact, NoteColumns, MostLines))];
    }

    /// <summary>What a reader of the picture has to know: the figure, which marks are whose, the metric with its unit.</summary>
    internal static IReadOnlyList<string> Facts(RowPicture picture) =>
    [
        picture.Row.Measured.Count > 0 ? $"change {picture.Row.Change}" : $"median {picture.Row.ArmValue}",
        picture.Reference is null ? $"one arm: {picture.Arm}" : $"circles: {picture.Reference}  ·  squares: {picture.Arm}",
        $"{picture.Row.Figures.Metric} in {Unit(picture).Name}",
    ];

    private static (double Factor, string Name) Unit(RowPicture picture)
    {
        var most = picture.ReferenceValues.Concat(picture.ArmValues).Select(Math.Abs).DefaultIfEmpty(1).Max();
        var (factor, unit) = Quantity.Scale(picture.Row.Figures.Unit, most);
        return (factor, unit.Length == 0 ? "no unit" : unit);
    }

    private static string Description(RowPicture picture)
    {
        var row = picture.Row;
        return row.Measured.Count == 0
            ? $"Values of {Counted.Of(row.Alone.Count, "launch")} of {picture.Arm}: median {row.ArmValue}."
            : $"{Counted.Of(row.Measured.Count, "round")} of {picture.Reference} (median {row.ReferenceValue}) "
                + $"against {picture.Arm} (median {row.ArmValue}). Change {row.Change}; "
                + $"in {Counted.Of(row.Measured.Count(round => round.Difference > 0), "round")} {picture.Arm} was "
                + $"{Percent.Worse(row.Figures.Unit)}. "
                + $"The margin is {Percent.Of(Math.Exp(picture.Margin) - 1)}.";
    }

    private static void Values(SvgWriter svg, RowPicture picture, double top, int strips)
    {
        double[] all = [.. picture.ReferenceValues, .. picture.ArmValues];
        var factor = Unit(picture).Factor;
        var axis = Axis.Of([.. all.Select(value => Math.Max(0, value / factor))]);
        double X(double value) => Left + (Math.Clamp(axis.Place(value / factor), 0, 1) * Plot);
        var bottom = top + (strips * Strip);
        foreach (var tick in axis.Ticks)
        {
            var x = Left + (axis.Place(tick) * Plot);
            svg.Empty("line", ("class", "grid"), ("x1", x), ("x2", x), ("y1", top), ("y2", bottom));
            svg.Text("text", Axis.Label(tick), ("class", "faint"), ("x", x), ("y", bottom + 16), ("text-anchor", "middle"));
        }

        if (axis.HidesZero || axis.IsLog)
        {
            svg.Text("text", axis.IsLog ? "logarithmic axis" : "this axis does not begin at 0",
                ("class", "note faint"), ("x", Left + (Plot / 2)), ("y", bottom + 33), ("text-anchor", "middle"));
        }

        if (strips == 2)
        {
            Distribution(svg, picture, (0, picture.Sides.Reference), picture.ReferenceValues, X, top + (Strip / 2));
        }

        Distribution(svg, picture, (strips - 1, strips == 2 ? picture.Sides.Arm : "launches"), picture.ArmValues, X, bottom - (Strip / 2));
    }

    private static void Distribution(SvgWriter svg, RowPicture picture, (int Series, string Name) strip, IReadOnlyList<double> values,
        Func<double, double> x, double y)
    {
        var (series, name) = strip;
        double[] sorted = [.. values.Order()];
        var quarter = sorted.Length / 4;
        var (low, high, middle) = (x(sorted[quarter]), x(sorted[^(quarter + 1)]), x(Median.OfSorted(sorted)));
        svg.Open("g");
        svg.Text("text", name, ("class", $"name f{series}"), ("x", Left - 12), ("y", y + 4.5), ("text-anchor", "end"));
        svg.Empty("rect", ("class", $"band box f{series}"), ("x", low), ("y", y - 11), ("width", Math.Max(1, high - low)),
            ("height", 22.0));
        svg.Empty("rect", ("class", $"bar s{series}"), ("fill", "none"), ("x", low), ("y", y - 11), ("width", Math.Max(1, high - low)),
            ("height", 22.0));
        svg.Empty("line", ("class", $"line s{series}"), ("x1", middle), ("x2", middle), ("y1", y - 15), ("y2", y + 15));
        foreach (var (index, value) in values.Index())
        {
            // Up and down by turns, so that neighbours in value do not hide each other.
            Dot(svg, series, x(value), y + (((index % 5) - 2) * 3.2),
                $"{Launch(picture, index)}: {Quantity.Format(picture.Row.Figures.Unit, value)[0]}");
        }

        svg.Close();
    }

    /// <summary>"round 3", or "launch 3" where nothing is paired.</summary>
    private static string Launch(RowPicture picture, int index) => picture.Row.Measured.Count > 0
        ? Invariant($"round {picture.Row.Measured[index].Round + 1}") : Invariant($"launch {index + 1}");

    private static void Dot(SvgWriter svg, int series, double x, double y, string said)
    {
        if (series == 0)
        {
            svg.Mark("circle", said, ("class", "m0"), ("cx", x), ("cy", y), ("r", DotSize));
        }
        else
        {
            svg.Mark("rect", said, ("class", $"m{series}"), ("x", x - 3), ("y", y - 3), ("width", 6.0), ("height", 6.0));
        }
    }

    private static void Pairs(SvgWriter svg, RowPicture picture, double top, double height)
    {
        var rounds = picture.Row.Measured;
        var interval = picture.Interval;
        var axis = ChangeAxis.Of([.. rounds.Select(round => round.Difference), -picture.Margin, picture.Margin,
            .. interval is { } shown ? new[] { shown.Low, shown.High } : []], picture.Row.Figures.Unit);
        double X(double log) => Left + (axis.Place(log) * Plot);
        var bottom = top + height + 34;
        Ground(svg, picture, (X(-picture.Margin), X(0), X(picture.Margin)), (top, bottom));
        foreach (var (place, label) in axis.Ticks)
        {
            var x = Left + (place * Plot);
            svg.Empty("line", ("class", "grid"), ("x1", x), ("x2", x), ("y1", top), ("y2", bottom));
            svg.Text("text", label, ("class", "faint"), ("x", x), ("y", bottom + 16), ("text-anchor", "middle"));
        }

        var step = height / rounds.Count;
        foreach (var (index, round) in rounds.Index())
        {
            Marks.Draw(svg, 3, X(round.Difference), top + (step * (index + 0.5)), $"{Launch(picture, index)}: "
                + Percent.Change(Math.Exp(round.Difference) - 1, null, null, picture.Row.Figures.Unit));
        }

        svg.Text("text", "rounds", ("class", "name"), ("x", Left - 12), ("y", top + 12), ("text-anchor", "end"));
        svg.Text("text", rounds.Count == 1 ? "1" : Invariant($"1 to {rounds.Count}"),
            ("class", "note faint"), ("x", Left - 12), ("y", top + 28), ("text-anchor", "end"));
        if (interval is { } known && picture.Centre is { } centre)
        {
            var y = top + height + 18;
            svg.Text("text", picture.Coverage, ("class", "name"), ("x", Left - 12), ("y", y + 4.5), ("text-anchor", "end"));
            svg.Empty("path", ("class", "line axis"), ("d", Path((X(known.Low), X(known.High)), y)));
            Marks.Draw(svg, 7, X(centre), y);
        }
    }

    /// <summary>The margin as an area with edges, no change as a line, and words for the two sides.</summary>
    private static void Ground(SvgWriter svg, RowPicture picture, (double Low, double Zero, double High) x, (double Top, double Bottom) y)
    {
        svg.Empty("rect", ("class", "band f7"), ("x", x.Low), ("y", y.Top), ("width", x.High - x.Low), ("height", y.Bottom - y.Top));
        foreach (var edge in new[] { x.Low, x.High })
        {
            svg.Empty("line", ("class", "event"), ("x1", edge), ("x2", edge), ("y1", y.Top), ("y2", y.Bottom));
        }

        svg.Empty("line", ("class", "line axis"), ("x1", x.Zero), ("x2", x.Zero), ("y1", y.Top - 4), ("y2", y.Bottom));
        var worse = Percent.Worse(picture.Row.Figures.Unit);
        svg.Text("text", worse == "slower" ? "< faster" : "< better", ("class", "note faint"), ("x", Left), ("y", y.Top - 10));
        svg.Text("text", $"{worse} >", ("class", "note faint"), ("x", Left + Plot), ("y", y.Top - 10), ("text-anchor", "end"));
        var whose = picture.Row.Figures.Margin is null ? "" : ", this cell's own";
        svg.Text("text", $"dashed: margin of {Percent.Of(Math.Exp(picture.Margin) - 1)}{whose}"
                + "  ·  each mark is a round, the last at the bottom",
            ("class", "note"), ("x", Left + (Plot / 2)), ("y", y.Bottom + 33), ("text-anchor", "middle"));
    }

    private static string Path((double Low, double High) x, double y)
    {
        string N(double value) => SvgWriter.Number(value);
        return $"M{N(x.Low)} {N(y - 7)} V{N(y + 7)} M{N(x.Low)} {N(y)} H{N(x.High)} M{N(x.High)} {N(y - 7)} V{N(y + 7)}";
    }

    private static void Lines(SvgWriter svg, IReadOnlyList<string> lines, (double X, double Y) first, double height, string style)
    {
        foreach (var (index, line) in lines.Index())
        {
            svg.Text("text", line, ("class", style), ("x", first.X), ("y", first.Y + (index * height)));
        }
    }
}
