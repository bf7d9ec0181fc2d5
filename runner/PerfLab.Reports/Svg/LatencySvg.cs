using PerfLab.Reports.Curves;
using PerfLab.Reports.Text;

namespace PerfLab.Reports.Svg;

/// <summary>A histogram of each arm over one axis: the share of all values in bars of equal width, drawn as steps.</summary>
public static class LatencySvg
{
    private const int Bars = 44;

    /// <param name="latency">What the launches kept.</param>
    /// <param name="name">The picture's name, [a-z0-9-].</param>
    public static string Render(Latency latency, string name) => Render(latency, name, isInPage: false);

    internal static string Render(Latency latency, string name, bool isInPage)
    {
        var svg = new SvgWriter(isInPage);
        var lines = latency.Lines.Take(Palette.Count).ToList();
        var places = lines.SelectMany(line => line.Counts).Select(bucket => bucket.Value).ToList();
        var (low, high) = (places.Min(), places.Max());
        // Equal steps in log units: a latency of twice the usual is as far away everywhere.
        var step = Math.Max(Math.Log(high / low), 0.01) / Bars;
        double[][] shares = [.. lines.Select(line => Shares(line, low, step))];
        var (factor, unit) = Quantity.Scale(latency.Unit, Math.Sqrt(low * high));
        var vertical = Axis.Of([0, .. shares.SelectMany(one => one).Select(share => 100 * share)]);
        var frame = new ChartFrame(Text(latency, name, lines, unit), lines.Select(line => line.Name));
        frame.Open(svg);
        frame.DrawVertical(svg, vertical, "share of all values (%)");
        frame.DrawHorizontal(svg, Ticks(low, step, factor), $"{latency.Name} ({unit}, logarithmic)");
        var ends = new List<LineEnd>();
        foreach (var (index, share) in shares.Index())
        {
            var path = new StringBuilder($"M{SvgWriter.Number(frame.X(0))} {SvgWriter.Number(frame.Y(0))}");
            for (var bar = 0; bar <= Bars; bar++)
            {
                var (x, y) = (frame.X((bar + 1.0) / (Bars + 1)), frame.Y(vertical.Place(100 * share[bar])));
                path.Append(CultureInfo.InvariantCulture, $" V{SvgWriter.Number(y)} H{SvgWriter.Number(x)}");
            }

            svg.Empty("path", ("class", $"line s{index} d{(index == 0 ? 0 : 2)}"), ("d", path.ToString()));
            var top = Array.IndexOf(share, share.Max());
            Marks.Draw(svg, index, frame.X((top + 0.5) / (Bars + 1)), frame.Y(vertical.Place(100 * share[top])));
            ends.Add(new(index, lines[index].Name, frame.X(1), frame.Y(vertical.Place(100 * share[Bars]))));
        }

        frame.DrawNames(svg, ends);
        svg.Close();
        return svg.ToString();
    }

    private static double[] Shares(LatencyLine line, double low, double step)
    {
        var shares = new double[Bars + 1];
        foreach (var (value, count) in line.Counts)
        {
            shares[Math.Clamp((int)(Math.Log(value / low) / step), 0, Bars)] += count / Math.Max(1, line.Total);
        }

        return shares;
    }

    private static IEnumerable<(double Place, string Label)> Ticks(double low, double step, double factor)
    {
        var last = double.NegativeInfinity;
        for (var decade = Math.Floor(Math.Log10(low / factor)); decade <= Math.Ceiling(Math.Log10(low / factor)
            + ((Bars + 1) * step / Math.Log(10))); decade++)
        {
            foreach (var mantissa in new[] { 1, 2, 5 })
            {
                var tick = mantissa * Math.Pow(10, decade);
                var place = Math.Log(tick * factor / low) / (step * (Bars + 1));
                if (place is >= 0 and <= 1 && place - last > 0.08)
                {
                    last = place;
                    yield return (place, Axis.Label(tick));
                }
            }
        }
    }

    private static ChartText Text(Latency latency, string name, List<LatencyLine> lines, string unit) => new(
        name, latency.Name, "all launches of an arm together; the mark is on the tallest bar",
        $"Share of all values by {latency.Name} in {unit}. " + string.Join(" ",
            lines.Select(line => $"{line.Name}: {Describe(latency, line)}.")));

    private static string Describe(Latency latency, LatencyLine line)
    {
        var shown = Quantity.Format(latency.Unit, line.Percentile(0.5), line.Percentile(0.99));
        return $"half below {shown[0]}, 99 % below {shown[1]}";
    }
}
