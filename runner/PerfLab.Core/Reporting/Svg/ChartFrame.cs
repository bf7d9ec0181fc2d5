namespace PerfLab.Core.Reporting.Svg;

/// <summary>What stands around every chart: ground, title, grid, axes with units, names of the lines beside their ends.</summary>
internal sealed class ChartFrame
{
    public const double Width = 800, Height = 450;
    private const double Top = 70, Bottom = 58, Left = 66;
    private const double LineHeight = 17;
    private const int MostNameChars = 28, MostTitleChars = 78, MostNoteChars = 118;

    private readonly double _right;

    /// <param name="names">Names of the lines: they need room on the right.</param>
    public ChartFrame(IEnumerable<string> names)
    {
        var longest = names.Select(name => Short(name).Length).DefaultIfEmpty(0).Max();
        _right = longest == 0 ? 28 : 34 + (8 * longest);
    }

    public double PlotWidth => Width - Left - _right;

    public static double PlotHeight => Height - Top - Bottom;

    /// <summary>Pixels of a place between 0 and 1.</summary>
    public double X(double place) => Left + (place * PlotWidth);

    public static double Y(double place) => Height - Bottom - (place * PlotHeight);

    /// <summary>Opens the picture: what it is called, and what a person who does not see it is told.</summary>
    public static void Open(SvgWriter svg, ChartText text)
    {
        svg.Open("svg", ("xmlns", "http://www.w3.org/2000/svg"), ("width", Width), ("height", Height),
            ("viewBox", $"0 0 {SvgWriter.Number(Width)} {SvgWriter.Number(Height)}"), ("role", "img"), ("aria-labelledby", $"{text.Name}-title {text.Name}-desc"));
        svg.Text("title", text.Title, ("id", $"{text.Name}-title"));
        svg.Text("desc", text.Description, ("id", $"{text.Name}-desc"));
        svg.Style(Palette.StyleSheet());
        svg.Empty("rect", ("class", "ground"), ("width", Width), ("height", Height), ("rx", 8.0));
        svg.Text("text", UntrustedText.Line(text.Title, MostTitleChars), ("class", "title"), ("x", 20.0), ("y", 29.0));
        svg.Text("text", UntrustedText.Line(text.Subtitle, MostNoteChars), ("class", "note faint"), ("x", 20.0), ("y", 49.0));
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
        svg.Text("text", label, ("x", 19.0), ("y", middle), ("text-anchor", "middle"), ("transform", $"rotate(-90 19 {SvgWriter.Number(middle)})"));
    }

    public void DrawHorizontal(SvgWriter svg, IEnumerable<(double Place, string Label)> ticks, string label)
    {
        svg.Empty("line", ("class", "axis"), ("x1", Left), ("x2", Left + PlotWidth), ("y1", Y(0)), ("y2", Y(0)));
        foreach (var (place, text) in ticks)
        {
            svg.Empty("line", ("class", "axis"), ("x1", X(place)), ("x2", X(place)), ("y1", Y(0)), ("y2", Y(0) + 5));
            svg.Text("text", text, ("class", "faint"), ("x", X(place)), ("y", Y(0) + 20), ("text-anchor", "middle"));
        }

        svg.Text("text", label, ("x", X(0.5)), ("y", Height - 15), ("text-anchor", "middle"));
    }

    /// <summary>The names right of the plot, each as near to its line's end as the others leave room.</summary>
    public void DrawNames(SvgWriter svg, IReadOnlyList<(int Series, string Name, double X, double Y)> ends)
    {
        var named = ends.Where(end => end.Name.Length > 0).OrderBy(end => end.Y).ToArray();
        var places = Spread([.. named.Select(end => end.Y)]);
        for (var index = 0; index < named.Length; index++)
        {
            var (series, name, x, y) = named[index];
            var start = X(1) + 14;
            svg.Empty("path", ("class", $"lead s{series}"), ("d", $"M{SvgWriter.Number(x + 8)} {SvgWriter.Number(y)} L{SvgWriter.Number(start - 3)} {SvgWriter.Number(places[index])}"));
            svg.Text("text", Short(name), ("class", $"name f{series}"), ("x", start), ("y", places[index] + 4.5));
        }
    }

    private static string Short(string name) => UntrustedText.Line(name, MostNameChars);

    /// <summary>Pushes rising places apart until they are a line's height from each other, and back into the plot.</summary>
    private static double[] Spread(double[] places)
    {
        for (var index = 1; index < places.Length; index++)
        {
            places[index] = Math.Max(places[index], places[index - 1] + LineHeight);
        }

        var limit = Y(0);
        for (var index = places.Length - 1; index >= 0; index--)
        {
            places[index] = Math.Min(places[index], limit);
            limit = places[index] - LineHeight;
        }

        return places;
    }
}

/// <summary>The words of a chart.</summary>
/// <param name="Name">The picture's name, [a-z0-9-]; makes its ids unique in a page.</param>
internal sealed record ChartText(string Name, string Title, string Subtitle, string Description);
