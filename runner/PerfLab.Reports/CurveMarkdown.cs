using PerfLab.Core.Model;
using PerfLab.Reports.Curves;
using PerfLab.Reports.Text;

namespace PerfLab.Reports;

/// <summary>A curve as a table in GitHub's Markdown. Names are code spans, as in every table.</summary>
public static class CurveMarkdown
{
    public static string Of(Curve curve)
    {
        var hasSeries = curve.Series.Count > 1;
        var rows = CurveRow.Of(curve);
        var coverage = MarkdownTable.Together(Percent.Constant(curve.Coverage));
        var (hasInterval, hasChange) = (rows.Any(row => row.Interval != "-"), rows.Any(row => row.Change != "-"));
        var lines = new List<string>
        {
            $"{UntrustedText.Code(curve.Workload)}: {UntrustedText.Code(curve.Metric.Name)} by {UntrustedText.Code(curve.Dimension)}"
                + (curve.Fixed.Length > 0 ? $", {UntrustedText.Code(curve.Fixed)}" : "")
                + (curve.Reference is { } reference && hasChange ? $"; the change is against {UntrustedText.Code(reference)}" : "") + ".",
            "",
            Row(hasSeries ? "series" : null,
                [UntrustedText.Code(curve.Dimension), hasInterval ? $"median, {coverage} interval" : "median",
                    !hasChange ? "launches" : hasInterval ? $"change ({coverage})" : "change"]),
            Row(hasSeries ? "---" : null, ["--:", "--:", "--:"]),
        };
        lines.AddRange(rows.Select(row => Row(
            hasSeries ? UntrustedText.Code(row.Series) : null,
            [
                UntrustedText.Code(row.X),
                MarkdownTable.Together(MarkdownTable.Value(row.Value))
                    + (row.Interval == "-" ? "" : $"<br>{MarkdownTable.Together(row.Interval)}"),
                hasChange ? MarkdownTable.Together(row.Change) : row.Launches,
            ])));
        return string.Join('\n', lines);
    }

    /// <summary>The first column is there when there are several lines.</summary>
    private static string Row(string? series, IReadOnlyList<string> cells) => MarkdownTable.Line(series is null ? cells : [series, .. cells]);
}
