using PerfLab.Core.Reporting.Curves;
using PerfLab.Core.Reporting.Text;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace PerfLab.Runner.Terminals;

/// <summary>Curves as tables for a terminal: a row for each point, a rule between the lines.</summary>
internal static class TerminalCurves
{
    /// <summary>Below this width the interval and the change go below the value.</summary>
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
        var hasSeries = curve.Series.Count > 1;
        var isWide = style.Width >= WideFrom;
        var table = new Table().Border(style.Ascii ? TableBorder.Ascii : TableBorder.Rounded);
        string[] titles = isWide
            ? ["series", curve.Dimension, "median", $"{coverage} interval", $"change ({coverage})", "launches"]
            : ["series", curve.Dimension, $"median, {coverage} interval, change"];
        foreach (var (title, index) in titles.Select((title, index) => (title, index)).Skip(hasSeries ? 0 : 1))
        {
            var column = new TableColumn(new Text(TerminalReport.Show(title, style), new Style(decoration: Decoration.Bold)));
            table.AddColumn(index == 0 ? column : column.RightAligned().NoWrap());
        }

        var before = "";
        foreach (var row in CurveRow.Of(curve))
        {
            if (hasSeries && row.Series != before && before.Length > 0)
            {
                table.AddEmptyRow();
            }

            before = row.Series;
            string[] texts = isWide
                ? [row.Series, row.X, row.Value, row.Interval, row.Change, row.Launches]
                : [row.Series, row.X, row.Change == "-" ? $"{row.Value} {row.Interval}" : $"{row.Value} {row.Interval}\n{row.Change}"];
            table.AddRow(texts.Skip(hasSeries ? 0 : 1).Select(text => (IRenderable)new Text(TerminalReport.Show(text, style))));
        }

        return table;
    }
}
