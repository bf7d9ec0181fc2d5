using PerfLab.Core.Model;
using PerfLab.Reports.Curves;
using PerfLab.Reports.Svg;
using PerfLab.Reports.Text;

namespace PerfLab.Reports.Html;

/// <summary>The histograms that the launches of a row kept, as pictures and percentiles.</summary>
internal static class HtmlLatency
{
    private static readonly double[] Shares = [0.5, 0.9, 0.99, 0.999];

    public static void Write(HtmlWriter writer, ReportRow row, string id, SampleSet? samples)
    {
        if (samples?.Header.Cells.FirstOrDefault(cell => cell.Id == row.Figures.Cell) is not { } cell)
        {
            return;
        }

        foreach (var (index, latency) in Latency.Of(cell, samples.Launches.Where(launch => launch.Cell == cell.Id)).Index())
        {
            writer.Open("details").Text("summary", $"Histogram: {latency.Name}")
                .Open("figure", ("tabindex", "0"), ("aria-label", $"Histogram of {latency.Name}"))
                .Own(LatencySvg.Render(latency, Invariant($"latency-{id}-{index + 1}"), isInPage: true)).Close();
            HtmlTable.Plain(writer, ["arm", "launches", "values", "half below", "90 % below", "99 % below", "99.9 % below"],
                latency.Lines.Select(line =>
                (IReadOnlyList<string>)
                [
                    line.Name, Invariant($"{line.Launches}"), Invariant($"{line.Total:0}"),
                    .. Quantity.Format(latency.Unit, [.. Shares.Select(share => (double?)line.Percentile(share))]),
                ]));
            writer.Close();
        }
    }
}
