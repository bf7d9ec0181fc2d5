namespace PerfLab.Core.Reporting.Svg;

/// <summary>The sign of a line at each of its points: another shape for every line.</summary>
internal static class Marks
{
    private static readonly (double X, double Y)[][] Polygons =
    [
        [(-4.6, -4.6), (4.6, -4.6), (4.6, 4.6), (-4.6, 4.6)],
        [(0, -6), (5.6, 4.4), (-5.6, 4.4)],
        [(0, -6.4), (6.4, 0), (0, 6.4), (-6.4, 0)],
        [(0, 6), (5.6, -4.4), (-5.6, -4.4)],
        [(-2, -6), (2, -6), (2, -2), (6, -2), (6, 2), (2, 2), (2, 6), (-2, 6), (-2, 2), (-6, 2), (-6, -2), (-2, -2)],
        [(0, -6.2), (5.9, -1.9), (3.6, 5), (-3.6, 5), (-5.9, -1.9)],
        [(-3, -5.6), (3, -5.6), (6.2, 0), (3, 5.6), (-3, 5.6), (-6.2, 0)],
    ];

    public static void Draw(SvgWriter svg, int series, double x, double y)
    {
        if (series == 0)
        {
            svg.Empty("circle", ("class", "m0"), ("cx", x), ("cy", y), ("r", 5.2));
            return;
        }

        var corners = Polygons[series - 1].Select(corner => $"{SvgWriter.Number(x + corner.X)},{SvgWriter.Number(y + corner.Y)}");
        svg.Empty("polygon", ("class", $"m{series}"), ("points", string.Join(' ', corners)));
    }
}
