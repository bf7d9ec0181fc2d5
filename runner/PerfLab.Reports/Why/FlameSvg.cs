using PerfLab.Core.Profiles;
using PerfLab.Reports.Svg;
using PerfLab.Reports.Text;

namespace PerfLab.Reports.Why;

/// <summary>
/// A differential flame graph: as wide as the arm's cost, red where it costs more than the reference, blue where less. The sign and the
/// size are
/// written into the boxes too, so that the picture reads without colours. Method of showing both: Gregg, "Differential flame graphs", 2014.
/// </summary>
public static class FlameSvg
{
    private const double Width = 1200, Row = 19, Top = 78, Margin = 12, Character = 6.6;

    /// <summary>Narrower boxes hold no letter; deeper stacks are cut, which the picture says.</summary>
    private const double Narrowest = 0.7;
    private const int MostDepth = 48;

    /// <summary>A difference of this share of everything has the full colour.</summary>
    private const double FullColour = 0.10;

    public static string Render(FrameTree tree, string title, string subtitle)
    {
        var depth = Math.Min(MostDepth, Depth(tree));
        var height = Top + (Row * (depth + 1)) + 34;
        var svg = new SvgWriter();
        svg.Open("svg", ("xmlns", "http://www.w3.org/2000/svg"), ("width", Width), ("height", height),
            ("viewBox", $"0 0 {SvgWriter.Number(Width)} {SvgWriter.Number(height)}"),
                ("role", "img"), ("aria-labelledby", "flame-title flame-desc"));
        svg.Text("title", title, ("id", "flame-title"));
        svg.Text("desc", $"{subtitle} {Heaviest(tree)}", ("id", "flame-desc"));
        svg.Style(Palette.StyleSheet());
        svg.Empty("rect", ("class", "ground"), ("width", Width), ("height", height), ("rx", 8.0));
        svg.Text("text", title, ("class", "title"), ("x", Margin + 8), ("y", 29.0));
        svg.Text("text", subtitle, ("class", "note faint"), ("x", Margin + 8), ("y", 51.0));
        Draw(svg, tree, new(Margin, Width - (2 * Margin), Total: Math.Max(tree.Arm, double.Epsilon), 0));
        svg.Text("text",
            "wide: cost of the arm under test; red, +: more than the reference; blue, -: less; in percent of everything it spends"
                + (Depth(tree) > MostDepth ? Invariant($"; deeper than {MostDepth} calls is left out") : ""),
            ("class", "note faint"), ("x", Margin + 8), ("y", height - 14));
        svg.Close();
        return svg.ToString();
    }

    private sealed record Place(double X, double Width, double Total, int Depth);

    private static void Draw(SvgWriter svg, FrameTree node, Place place)
    {
        if (place.Width < Narrowest || place.Depth > MostDepth)
        {
            return;
        }

        Box(svg, node, place);
        var x = place.X;
        foreach (var child in node.Children)
        {
            var width = child.Arm / place.Total * (Width - (2 * Margin));
            Draw(svg, child, place with { X = x, Width = width, Depth = place.Depth + 1 });
            x += width;
        }
    }

    private static void Box(SvgWriter svg, FrameTree node, Place place)
    {
        var difference = (node.Arm - node.Reference) / place.Total;
        var y = Top + (Row * place.Depth);
        svg.Open("g");
        svg.Text("title", $"{node.Name}: {Percent.Of(node.Arm / place.Total)} of the arm, {Signed(difference)} against the reference");
        svg.Empty("rect", ("x", place.X), ("y", y), ("width", Math.Max(0.5, place.Width - 0.6)),
            ("height", Row - 1), ("rx", 2.0), ("fill", Colour(difference)));
        var room = (int)((place.Width - 6) / Character);
        if (room >= 3)
        {
            var text = Math.Abs(difference) >= ProfileComparison.LeastShare ? $"{Signed(difference)} {Short(node.Name)}" : Short(node.Name);
            svg.Text("text", text.Length <= room ? text : text[..(room - 1)] + "…",
                ("x", place.X + 3), ("y", y + 13), ("style", "fill:#1f2328;font-size:11px"));
        }

        svg.Close();
    }

    /// <summary>"Parser.Read" of "My.Lib.Parser.Read(String)": what fits a box; the whole name is in its title.</summary>
    private static string Short(string name)
    {
        var plain = name.Split('(')[0];
        var parts = plain.Split('.');
        return parts.Length <= 2 ? plain : string.Join('.', parts[^2..]);
    }

    private static string Signed(double share) => Invariant($"{share * 100:+0.0;-0.0;0.0} %");

    /// <summary>From grey to red or blue, all light enough for dark letters (contrast at least 4.5).</summary>
    private static string Colour(double difference)
    {
        var strength = Math.Clamp(Math.Abs(difference) / FullColour, 0, 1);
        var (red, green, blue) = difference > 0 ? (255, 140, 120) : (130, 180, 255);
        return Invariant($"#{Mix(red):x2}{Mix(green):x2}{Mix(blue):x2}");

        int Mix(int full) => (int)Math.Round(225 + ((full - 225) * strength));
    }

    private static int Depth(FrameTree node) => node.Children.Select(child => child.Arm > 0 ? 1 + Depth(child) : 0).DefaultIfEmpty(0).Max();

    private static string Heaviest(FrameTree tree) => tree.Children.OrderByDescending(child => child.Arm).FirstOrDefault() is { } first
        ? $"The widest root is {first.Name}." : "There are no samples.";
}
