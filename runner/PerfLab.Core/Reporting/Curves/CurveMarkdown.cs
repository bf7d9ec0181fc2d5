namespace PerfLab.Core.Reporting.Curves;

/// <summary>A curve as a table in GitHub's Markdown. Names are code spans, as in every table.</summary>
public static class CurveMarkdown
{
    public static string Of(Curve curve)
    {
        var hasSeries = curve.Series.Count > 1;
        var rows = CurveRow.Of(curve);
        var hasChange = rows.Any(row => row.Change != "-");
        var lines = new List<string>
        {
            $"{UntrustedText.Code(curve.Workload)}: {UntrustedText.Code(curve.Metric.Name)} by {UntrustedText.Code(curve.Dimension)}"
                + (curve.Fixed.Length > 0 ? $", {UntrustedText.Code(curve.Fixed)}" : "")
                + (curve.Reference is { } reference && hasChange ? $"; the change is against {UntrustedText.Code(reference)}" : "") + ".",
            "",
            Line([.. hasSeries ? ["series"] : Array.Empty<string>(), UntrustedText.Code(curve.Dimension), "median", $"{Percent.Constant(curve.Coverage)} interval", .. hasChange ? [$"change ({Percent.Constant(curve.Coverage)})"] : Array.Empty<string>(), "launches"]),
            Line([.. hasSeries ? ["---"] : Array.Empty<string>(), "--:", "--:", "--:", .. hasChange ? ["--:"] : Array.Empty<string>(), "--:"]),
        };
        lines.AddRange(rows.Select(row => Line(
        [
            .. hasSeries ? [UntrustedText.Code(row.Series)] : Array.Empty<string>(),
            UntrustedText.Code(row.X), MarkdownTable.Value(row.Value), row.Interval, .. hasChange ? [row.Change] : Array.Empty<string>(), row.Launches,
        ])));
        return string.Join('\n', lines);
    }

    private static string Line(IEnumerable<string> cells) => $"| {string.Join(" | ", cells)} |";
}
