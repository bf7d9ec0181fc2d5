using PerfLab.Reports.Curves;
using PerfLab.Reports.Text;

namespace PerfLab.Reports.Svg;

/// <summary>How the arms of a cell come up to speed: median rate of each window with its quartiles, and when measuring begins.</summary>
public static class WarmUpSvg
{
    /// <summary>Of the plot, what the window with the most compiled methods takes.</summary>
    private const double CompiledHeight = 0.15;

    public static string Render(WarmUp warmUp) => Render(warmUp, isInPage: false);

    internal static string Render(WarmUp warmUp, bool isInPage)
    {
        var svg = new SvgWriter(isInPage);
        var lines = warmUp.Lines.Where(line => line.Windows.Count > 0).Take(Palette.Count).ToList();
        var frame = new ChartFrame(Text(warmUp, lines), lines.Select(Name));
        var windows = lines.SelectMany(line => line.Windows).ToList();
        var single = lines.SelectMany(line => line.Single).SelectMany(launch => launch).ToList();
        var (factor, unit) = Quantity.Scale(warmUp.Unit, windows.Select(window => window.High).DefaultIfEmpty(1).Max());
        // From 0: a warm-up is about how much is missing.
        var vertical = Axis.Of([0, .. windows.Select(window => window.High / factor), .. single.Select(window => window.Rate / factor)]);
        var time = Axis.Time(windows.Select(window => window.Seconds).Concat(single.Select(window => window.Seconds)).DefaultIfEmpty(1).Max());
        frame.Open(svg);
        frame.DrawVertical(svg, vertical, $"rate ({unit})");
        frame.DrawHorizontal(svg, time.Ticks.Select(tick => (time.Place(tick), Axis.Label(tick))), "time since the warm-up began (s)");
        var start = frame.X(time.Place(warmUp.WarmUpSeconds));
        svg.Empty("line", ("class", "event"), ("x1", start), ("x2", start), ("y1", frame.Y(0)), ("y2", frame.Y(1)));
        svg.Text("text", "measuring begins", ("class", "note faint"), ("x", start), ("y", frame.Y(1) - 5), ("text-anchor", "middle"));
        var most = MostCompiled(lines);
        var ends = new List<LineEnd>();
        for (var index = 0; index < lines.Count; index++)
        {
            var places = lines[index].Windows.Select(window => (X: frame.X(time.Place(window.Seconds)), Low: Y(window.Low), Middle: Y(window.Middle), High: Y(window.High))).ToList();
            Draw(svg, index, places);
            Compiled(svg, index, [.. lines[index].Windows.Select(window =>
                (frame.X(time.Place(window.Seconds)), frame.Y(0), frame.Y(CompiledHeight * (window.Compiled ?? 0) / most)))]);
            foreach (var launch in lines[index].Single)
            {
                svg.Empty("path", ("class", $"lead s{index}"), ("d", "M" + string.Join(" L",
                    launch.Select(window => $"{SvgWriter.Number(frame.X(time.Place(window.Seconds)))} {SvgWriter.Number(Y(window.Rate))}"))));
            }

            if (lines[index].TimeToSteady is { } seconds)
            {
                // A mark on the time axis.
                Marks.Draw(svg, index, frame.X(time.Place(seconds)), frame.Y(0));
            }

            ends.Add(new(index, Name(lines[index]), places[^1].X, places[^1].Middle));
        }

        frame.DrawNames(svg, ends);
        svg.Close();
        return svg.ToString();

        double Y(double rate) => frame.Y(vertical.Place(rate / factor));
    }

    /// <summary>Bars on the time axis: methods compiled in each window, each arm's beside the other's.</summary>
    private static void Compiled(SvgWriter svg, int series, IReadOnlyList<(double X, double Foot, double Top)> bars)
    {
        const double Width = 2;
        foreach (var (x, foot, top) in bars.Where(bar => bar.Top < bar.Foot))
        {
            svg.Empty("rect", ("class", $"f{series}"), ("x", x + ((series - 1) * Width)), ("y", top), ("width", Width),
                ("height", foot - top));
        }
    }

    private static double MostCompiled(IReadOnlyList<WarmUpLine> lines) =>
        Math.Max(1, lines.SelectMany(line => line.Windows).Select(window => window.Compiled ?? 0).DefaultIfEmpty(0).Max());

    private static void Draw(SvgWriter svg, int series, List<(double X, double Low, double Middle, double High)> places)
    {
        var band = places.Select(place => (place.X, Y: place.High)).Concat(Enumerable.Reverse(places).Select(place => (place.X, Y: place.Low)));
        svg.Open("g");
        svg.Empty("polygon", ("class", $"band f{series}"), ("points", string.Join(' ', band.Select(corner => $"{SvgWriter.Number(corner.X)},{SvgWriter.Number(corner.Y)}"))));
        svg.Empty("path", ("class", $"line s{series} d{series}"), ("d", "M" + string.Join(" L", places.Select(place => $"{SvgWriter.Number(place.X)} {SvgWriter.Number(place.Middle)}"))));
        svg.Close();
    }

    /// <summary>"pgo on, 1.1 s".</summary>
    private static string Name(WarmUpLine line) => line.TimeToSteady is { } seconds
        ? Invariant($"{line.Name}, {seconds:0.0} s")
        : $"{line.Name}, never";

    private static ChartText Text(WarmUp warmUp, List<WarmUpLine> lines) => new(
        warmUp.Name,
        $"Coming up to speed: {warmUp.Cell}",
        Invariant($"median of {lines.Select(line => line.Launches).DefaultIfEmpty(0).Max()} launches with quartiles, thin the first {WarmUpLine.MostSingle}  ·  beside a line and on the axis: its time-to-steady")
            + (lines.Exists(line => line.Windows.Any(window => window.Compiled > 0))
                ? Invariant($"  ·  bars: methods compiled, at most {MostCompiled(lines):0} in a window") : ""),
        Invariant($"Rate in {warmUp.Unit} over the time of a launch; measuring begins at {warmUp.WarmUpSeconds:0.0} s. ")
            + string.Join(" ", lines.Select(line => Describe(warmUp, line))));

    private static string Describe(WarmUp warmUp, WarmUpLine line)
    {
        var steady = line.TimeToSteady is { } seconds ? Invariant($"steady at {seconds:0.0} s") : "no steady state";
        return $"{line.Name}: from {Quantity.Format(warmUp.Unit, line.Windows[0].Middle)[0]} to {Quantity.Format(warmUp.Unit, line.Windows[^1].Middle)[0]}, {steady}"
            + Invariant($" ({line.Steady} of {line.Launches} launches came to rest).");
    }
}
