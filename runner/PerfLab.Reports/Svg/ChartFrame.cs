using PerfLab.Core.Model;

namespace PerfLab.Reports.Svg;

/// <summary>
/// What stands around every chart: ground, title, grid, axes with units, names of the lines beside their ends. Long texts are broken into lines,
/// and the picture grows with them: a name that is cut could be any of several.
/// </summary>
internal sealed class ChartFrame
{
    private const double Width = 800, Left = 66;

    /// <summary>Room around and inside the plot when every text fits on one line: 800 x 450 in all.</summary>
    private const double LeastTop = 70, LeastBottom = 58, LeastPlotHeight = 322;
    private const double TitleHeight = 21, NoteHeight = 16, LineHeight = 15, NameHeight = 17;
    private const int NameColumns = 28, TitleColumns = 72, NoteColumns = 112, AxisColumns = 56, MostLines = 4;

    /// <summary>Of a character in an axis label; a browser without our fonts takes a wide one.</summary>
    private const double ColumnWidth = 7.6;

    private readonly ChartText _text;
    private readonly IReadOnlyList<string> _title, _note;
    private readonly double _right, _top, _bottom, _plotHeight;

    /// <param name="names">Names of the lines: they need room on the right.</param>
    public ChartFrame(ChartText text, IEnumerable<string> names)
    {
        _text = text;
        _title = LineBreaks.Of(text.Title, TitleColumns, MostLines);
        _note = LineBreaks.Of(text.Subtitle, NoteColumns, MostLines);
        var broken = names.Select(Broken).Where(lines => lines.Count > 0).ToList();
        _right = broken.Count == 0 ? 28 : 34 + (8 * broken.SelectMany(lines => lines).Max(LineBreaks.Columns));
        _top = LeastTop + (TitleHeight * Math.Max(0, _title.Count - 1)) + (NoteHeight * Math.Max(0, _note.Count - 1));
        _bottom = LeastBottom + (LineHeight * (text.Places.Select(place => OfPlace(place).Count).DefaultIfEmpty(1).Max() - 1));
        _plotHeight = Math.Max(LeastPlotHeight, broken.Sum(BlockHeight));
    }

    public double PlotWidth => Width - Left - _right;

    private double Height => _top + _plotHeight + _bottom;

    /// <summary>Pixels of a place between 0 and 1.</summary>
    public double X(double place) => Left + (place * PlotWidth);

    public double Y(double place) => _top + ((1 - place) * _plotHeight);

    /// <summary>Opens the picture: what it is called, and what a person who does not see it is told.</summary>
    public void Open(SvgWriter svg)
    {
        svg.Open("svg", ("xmlns", "http://www.w3.org/2000/svg"), ("width", Width), ("height", Height),
            ("viewBox", $"0 0 {SvgWriter.Number(Width)} {SvgWriter.Number(Height)}"), ("role", "img"), ("aria-labelledby", $"{_text.Name}-title {_text.Name}-desc"));
        svg.Text("title", _text.Title, ("id", $"{_text.Name}-title"));
        svg.Text("desc", _text.Description, ("id", $"{_text.Name}-desc"));
        svg.Style(Palette.StyleSheet());
        svg.Empty("rect", ("class", "ground"), ("width", Width), ("height", Height), ("rx", 8.0));
        Lines(svg, _title, (20, 29), TitleHeight, ("class", "title"));
        Lines(svg, _note, (20, 29 + (TitleHeight * Math.Max(0, _title.Count - 1)) + 20), NoteHeight, ("class", "note faint"));
    }

    public void DrawVertical(SvgWriter svg, Axis axis, string label)
    {
        foreach (var tick in axis.Ticks)
        {
            var y = Y(axis.Place(tick));
            svg.Empty("line", ("class", "grid"), ("x1", Left), ("x2", Left + PlotWidth), ("y1", y), ("y2", y));
            svg.Text("text", Axis.Label(tick), ("class", "faint"), ("x", Left - 9), ("y", y + 4.5), ("text-anchor", "end"));
        }

        var middle = Y(0.5);
        svg.Text("text", UntrustedText.Line(label, AxisColumns), ("x", 19.0), ("y", middle), ("text-anchor", "middle"), ("transform", $"rotate(-90 19 {SvgWriter.Number(middle)})"));
    }

    public void DrawHorizontal(SvgWriter svg, IEnumerable<(double Place, string Label)> ticks, string label)
    {
        svg.Empty("line", ("class", "axis"), ("x1", Left), ("x2", Left + PlotWidth), ("y1", Y(0)), ("y2", Y(0)));
        foreach (var (place, text) in ticks)
        {
            svg.Empty("line", ("class", "axis"), ("x1", X(place)), ("x2", X(place)), ("y1", Y(0)), ("y2", Y(0) + 5));
            Lines(svg, OfPlace(text), (X(place), Y(0) + 20), LineHeight, ("class", "faint"), ("text-anchor", "middle"));
        }

        svg.Text("text", UntrustedText.Line(label, AxisColumns), ("x", X(0.5)), ("y", Height - 15), ("text-anchor", "middle"));
    }

    /// <summary>The names right of the plot, each as near to its line's end as the others leave room.</summary>
    public void DrawNames(SvgWriter svg, IReadOnlyList<LineEnd> ends)
    {
        var named = ends.Select(end => (End: end, Lines: Broken(end.Name))).Where(pair => pair.Lines.Count > 0).OrderBy(pair => pair.End.Y).ToArray();
        var places = Spread([.. named.Select(pair => (pair.End.Y, BlockHeight(pair.Lines)))]);
        foreach (var ((end, lines), place) in named.Zip(places))
        {
            var start = X(1) + 14;
            svg.Empty("path", ("class", $"lead s{end.Series}"), ("d", $"M{SvgWriter.Number(end.X + 8)} {SvgWriter.Number(end.Y)} L{SvgWriter.Number(start - 3)} {SvgWriter.Number(place)}"));
            Lines(svg, lines, (start, place + 4.5 - ((lines.Count - 1) * LineHeight / 2)), LineHeight, ("class", $"name f{end.Series}"));
        }
    }

    private static void Lines(SvgWriter svg, IReadOnlyList<string> lines, (double X, double Y) first, double height, params (string Name, object Value)[] attributes)
    {
        foreach (var (index, line) in lines.Index())
        {
            svg.Text("text", line, [attributes[0], ("x", first.X), ("y", first.Y + (index * height)), .. attributes[1..]]);
        }
    }

    private static IReadOnlyList<string> Broken(string name) => LineBreaks.Of(name, NameColumns, MostLines);

    /// <summary>A label of the horizontal axis, as wide as its neighbours leave room. Numbers stand by themselves: the axis leaves out those without room.</summary>
    private IReadOnlyList<string> OfPlace(string place) => _text.Places.Count == 0 ? [place]
        : LineBreaks.Of(place, Math.Max(3, (int)(PlotWidth / _text.Places.Count / ColumnWidth) - 1), MostLines);

    private static double BlockHeight(IReadOnlyList<string> lines) => NameHeight + ((lines.Count - 1) * LineHeight);

    /// <summary>Pushes blocks (middle, height) that come in rising order apart until none covers another, and back into the plot.</summary>
    private double[] Spread((double Middle, double Height)[] blocks)
    {
        var places = new double[blocks.Length];
        var end = double.NegativeInfinity;
        for (var index = 0; index < blocks.Length; index++)
        {
            places[index] = Math.Max(blocks[index].Middle, end + (blocks[index].Height / 2));
            end = places[index] + (blocks[index].Height / 2);
        }

        end = Y(0) + (NameHeight / 2);
        for (var index = blocks.Length - 1; index >= 0; index--)
        {
            places[index] = Math.Min(places[index], end - (blocks[index].Height / 2));
            end = places[index] - (blocks[index].Height / 2);
        }

        return places;
    }
}

/// <summary>The words of a chart.</summary>
/// <param name="Name">The picture's name, [a-z0-9-]; makes its ids unique in a page.</param>
internal sealed record ChartText(string Name, string Title, string Subtitle, string Description)
{
    /// <summary>Words below the horizontal axis; empty when numbers stand there.</summary>
    public IReadOnlyList<string> Places { get; init; } = [];
}

/// <summary>Where a line ends, and what it is called there.</summary>
/// <param name="Series">Which colour it has.</param>
/// <param name="Name">Untrusted.</param>
/// <param name="X">Pixels, as all places in a picture.</param>
internal readonly record struct LineEnd(int Series, string Name, double X, double Y);
