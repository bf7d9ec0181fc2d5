namespace PerfLab.Reports.Svg;

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

    /// <param name="svg">Where to.</param>
    /// <param name="series">Which line's.</param>
    /// <param name="x">Its middle.</param>
    /// <param name="y">Of it.</param>
    /// <param name="said">What a pointer on it is told; null: nothing.</param>
    public static void Draw(SvgWriter svg, int series, double x, double y, string? said = null)
    {
        if (series == 0)
        {
            svg.Mark("circle", said, ("class", "m0"), ("cx", x), ("cy", y), ("r", 5.2));
            return;
        }

        var corners = Polygons[series - 1].Select(corner => $"{SvgWriter.Number(x + corner.X)},{SvgWriter.Number(y + corner.Y)}");
        svg.Mark("polygon", said, ("class", $"m{series}"), ("points", string.Join(' ', corners)));
    }
}
