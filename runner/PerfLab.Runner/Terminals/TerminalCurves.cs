using PerfLab.Programs;
using PerfLab.Reports.Curves;
using PerfLab.Reports.Text;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace PerfLab.Runner.Terminals;

/// <summary>Curves as tables for a terminal: a row for each point, an empty one between the series.</summary>
internal static class TerminalCurves
{
    /// <summary>Below this width a series' name goes above its points, and the change below the value.</summary>
    private const int WideFrom = 110;

    public static void Write(IReadOnlyList<Curve> curves, IAnsiConsole console, ReportLines lines, TerminalStyle style)
    {
        foreach (var curve in curves)
        {
            lines.Add(string.Join(", ", new[]
            {
                $"{curve.Workload}: {curve.Metric.Name} by {curve.Dimension}", curve.Fixed, curve.Reference is { } reference ? $"change against {reference}" : "",
            }.Where(part => part.Length > 0)));
            console.Write(Table(curve, style));
        }
    }

    private static Table Table(Curve curve, TerminalStyle style)
    {
        var coverage = Percent.Constant(curve.Coverage);
        var rows = CurveRow.Of(curve);
        var (hasSeries, hasInterval) = (curve.Series.Count > 1, rows.Any(row => row.Interval != "-"));
        var isWide = style.Width >= WideFrom;
        var table = new Table().Border(style.Ascii ? TableBorder.Ascii : TableBorder.Rounded);
        string[] titles = isWide
            ? [.. hasSeries ? ["series"] : Array.Empty<string>(), curve.Dimension, "median",
                .. hasInterval ? [$"{coverage} interval", $"change ({coverage})"] : new[] { "change" }, "launches"]
            : [curve.Dimension, hasInterval ? $"median, {coverage} interval, change" : "median, change"];
        foreach (var (title, index) in titles.Select((title, index) => (title, index)))
        {
            var column = new TableColumn(new Text(TerminalReport.Show(title, style), new Style(decoration: Decoration.Bold)));
            table.AddColumn(index == 0 && (hasSeries || !isWide) ? column : column.RightAligned().NoWrap());
        }

        var before = "";
        foreach (var row in rows)
        {
            if (hasSeries && row.Series != before)
            {
                if (before.Length > 0)
                {
                    table.AddEmptyRow();
                }

                if (!isWide)
                {
                    Add($"{row.Series}:", "");
                }
            }

            before = row.Series;
            if (isWide)
            {
                Add([.. hasSeries ? [row.Series] : Array.Empty<string>(), row.X, row.Value,
                    .. hasInterval ? [row.Interval] : Array.Empty<string>(), row.Change, row.Launches]);
            }
            else
            {
                var value = hasInterval ? $"{row.Value} {row.Interval}" : row.Value;
                Add(row.X, row.Change == "-" ? value : $"{value}\n{row.Change}");
            }
        }

        return table;

        void Add(params string[] texts) => table.AddRow(texts.Select(text => (IRenderable)new Text(TerminalReport.Show(text, style))));
    }
}
