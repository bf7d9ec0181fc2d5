using PerfLab.Core.Model;
using PerfLab.Programs;
using PerfLab.Reports;
using PerfLab.Reports.Svg;
using PerfLab.Core.Statistics.Stages;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace PerfLab.Runner.Terminals;

/// <summary>
/// The report as text, for a terminal or a pipe. Nothing is lost on a narrow terminal: there, a row
/// takes several lines. Names and other
/// foreign text are never read as markup, and on a pipe everything is ASCII.
/// </summary>
internal static class TerminalReport
{
    private const int FewRows = 20, MostPlots = 6, MostUnavailable = 5;

    /// <summary>Writes the whole report.</summary>
    /// <param name="report">What to say.</param>
    /// <param name="output">Standard output, or a file.</param>
    /// <param name="style">Width, colours, character set.</param>
    public static void Write(Report report, TextWriter output, TerminalStyle style)
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = style.Colours ? AnsiSupport.Yes : AnsiSupport.No,
            ColorSystem = style.Colours ? ColorSystemSupport.Standard : ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
            Out = new FixedWidthOutput(output, style.Width),
        });
        var lines = new ReportLines(console, style.Ascii);
        var (shown, shared) = SharedSettings.Of(report);
        lines.Add($"perf-lab: {report.Headline}", Headline(report));
        foreach (var line in new[] { Subject(report), shared is null ? "" : $"every row: {shared}" }.Where(line => line.Length > 0))
        {
            lines.Add(line);
        }

        lines.Add("");
        Tables(shown, console, style);
        Findings(shown, lines);
        if (style.ShowsDetails || report.Rows.Count == 1)
        {
            Plots(shown, lines, style);
        }

        TerminalCurves.Write(report.Curves, console, lines, style);
        lines.Add(report.FalseFlagBudget);
        lines.List("Warnings:", report.Warnings);
        Failures(shown, lines);
        Unavailable(shown, lines, style);
        Doubts(shown, lines, style);

        var again = shown.Rows.Where(row => row.Reproduce is not null && (row.NeedsAttention || report.Rows.Count <= FewRows))
            .DistinctBy(row => row.Reproduce, StringComparer.Ordinal).Take(style.ShowsDetails ? FewRows : 1).ToList();
        lines.Commands(style.ShowsDetails || again.Count == 0 ? "How to reproduce:" : $"How to reproduce {again[0].Cell}:",
            [.. again.Select(row => row.Reproduce!)]);
        Hygiene(report, lines, style);
        if (style.ShowsDetails)
        {
            lines.List("", [.. report.Facts.Select(fact => $"{fact.Name}: {fact.Value}"), $"policy: {report.Policy}"]);
        }
        else if (Hidden(report) is { Length: > 0 } hidden)
        {
            lines.Add($"{hidden}: --details, or report.md");
        }

        if (report.Rows.Count > FewRows)
        {
            // The first line has scrolled away.
            lines.Add($"perf-lab: {report.Headline}", Headline(report));
        }
    }

    /// <summary>What --details adds, counted.</summary>
    private static string Hidden(Report report) => string.Join(", ", new[]
    {
        report.Doubts.Count > 0 && report.Rows.Count > 1 ? Counted.Of(report.Doubts.Count, "doubt") : "",
        report.OtherMetrics.Count > 0 && !report.IsOneArm ? Counted.Of(report.OtherMetrics.Count, "other metric") : "",
        report.Rows.Count > 1 && report.Rows.Any(row => row.HasMoved && row.Measured.Count > 0) ? "rounds" : "",
        "plan and policy",
    }.Where(part => part.Length > 0));

    private static void Findings(Report report, ReportLines lines)
    {
        if (report.AboutChanges is { } about)
        {
            lines.Add(about);
        }

        lines.List($"{SelectionLines.Title}:", report.Selection);
        lines.List($"{RepeatedRow.Title}:", [.. report.Repeated.Select(row => $"{string.Join(", ", row.Names)}: {row.Text}")]);
        lines.List($"{BudgetLine.Title}:", [.. report.Budget.Select(line => line.Plain)]);
        if (report.Why.Count > 0)
        {
            lines.Add($"{ExplanationRow.Title}:");
        }

        foreach (var why in report.Why)
        {
            lines.List($"  {UntrustedText.Line(string.Join(", ", why.Names))}, for one {UntrustedText.Line(why.Work)}:", why.Plain);
        }
    }

    /// <summary>Of one row alone there is room for them. Who accepted a regression, and why, is no doubt: it is always said.</summary>
    private static void Doubts(Report report, ReportLines lines, TerminalStyle style)
    {
        if (style.ShowsDetails || report.Rows.Count == 1)
        {
            lines.List("Doubts about single rows:", [.. report.Doubts.Select(doubt => $"{string.Join(", ", doubt.Names)}: {doubt.Text}")]);
            return;
        }

        lines.List("Accepted:", [.. report.Rows.Where(row => row.Figures.Accepted is not null)
            .Select(row => $"{row.Cell}: {row.Figures.Accepted}")]);
    }

    private static void Unavailable(Report report, ReportLines lines, TerminalStyle style)
    {
        var missing = report.Rows.Where(row => row.Unavailable is not null).Select(row => $"{row.Cell}: {row.Unavailable}").ToList();
        var most = style.ShowsDetails ? missing.Count : MostUnavailable;
        lines.List("Unavailable here:", [.. missing.Take(most), .. missing.Count > most ? [Invariant($"and {missing.Count - most} more")]
            : Array.Empty<string>()]);
    }

    /// <summary>One line: what was repeated is repeated, and the list is long. Asked for, everything that was looked at.</summary>
    private static void Hygiene(Report report, ReportLines lines, TerminalStyle style)
    {
        if (report.Hygiene is not { } hygiene)
        {
            return;
        }

        if (style.ShowsDetails)
        {
            lines.List($"hygiene: {hygiene.Line}", [.. hygiene.Items.Select(item => item.NeedsAttention ? $"! {item.Text}" : item.Text)]);
        }
        else
        {
            lines.Add($"hygiene: {hygiene.Line}{(hygiene.Items.Count > 0 ? " (--details lists them)" : "")}");
        }
    }

    /// <summary>The rounds of what moved; one row alone is shown, too, unless it was not steady.</summary>
    private static void Plots(Report report, ReportLines lines, TerminalStyle style)
    {
        var shown = RowPicture.Of(report).Where(picture => picture.Row.Measured.Count > 0 && (picture.Row.HasMoved
            || (report.Rows.Count == 1 && picture.Row.Figures.Verdict != Verdict.NotSteady))).Take(MostPlots).ToList();
        foreach (var picture in shown)
        {
            var row = picture.Row;
            lines.Add(string.Join(", ", new[] { row.Cell, report.HasSeveralArms ? row.Figures.Arm : "", row.Verdict }.Where(part =>
                part.Length > 0)));
            foreach (var line in RowPlot.Of(picture, style.Ascii))
            {
                lines.Drawn(line.Text, line.IsFinding ? Colour(row) : (Style?)null);
            }

            lines.Add("");
        }

        var more = report.Rows.Count(row => row.HasMoved && row.Measured.Count > 0) - shown.Count(picture => picture.Row.HasMoved);
        if (more > 0)
        {
            lines.Add(Invariant($"{more} more {(more == 1 ? "row that moved is" : "rows that moved are")} drawn in report.html, and by ")
                + "`./perf-lab report SESSION --format svg --picture NAME`");
        }
    }

    private static void Tables(Report report, IAnsiConsole console, TerminalStyle style)
    {
        if (report.Rows.Count > 0)
        {
            var wide = report.IsOneArm ? TerminalColumns.OneArm(report) : TerminalColumns.Wide(report);
            console.Write(Table(report, report.Rows, wide, style));
        }

        if (report.OtherMetrics.Count > 0 && (style.ShowsDetails || report.IsOneArm))
        {
            console.Write(new Text("Other metrics, without a verdict:\n"));
            console.Write(Table(report, report.OtherMetrics, TerminalColumns.Others(report), style));
        }
    }

    private static Table Table(Report report, IReadOnlyList<ReportRow> rows, IReadOnlyList<TerminalColumn> wide, TerminalStyle style)
    {
        var fits = TerminalColumn.Fit(wide, rows, style.Width);
        var columns = fits ? wide : TerminalColumns.Narrow(report, rows, style);
        var table = new Table().Border(style.Ascii ? TableBorder.Ascii : TableBorder.Rounded);
        table.ShowRowSeparators = !fits && style.ShowsDetails;
        foreach (var column in columns)
        {
            var header = new TableColumn(new Text(Show(column.Title, style), new Style(decoration: Decoration.Bold)));
            table.AddColumn(column.IsRight ? header.RightAligned().NoWrap() : header.Width(column.Width));
        }

        foreach (var row in rows)
        {
            table.AddRow(columns.Select(column =>
                (IRenderable)new Text(Show(column.Text(row), style), column.HasColour ? Colour(row) : Style.Plain)));
        }

        return table;
    }

    private static void Failures(Report report, ReportLines lines)
    {
        foreach (var row in report.Rows)
        {
            foreach (var failure in row.Failures)
            {
                lines.Add($"Failed: {row.Cell}, {failure.Arm}: {failure.What}", new Style(Color.Red));
                lines.Quote(failure.Reason);
                lines.Quote(failure.Tail);
            }
        }
    }

    private static string Subject(Report report)
    {
        var arms = string.Join(" -> ", new[] { (report.HasSeveralArms ? "reference" : "base", report.Base), ("head", report.Head) }
            .Where(side => !string.IsNullOrEmpty(side.Item2)).Select(side => $"{side.Item1} {side.Item2}"));
        var machine = report.Facts.Where(fact => fact.Name is "machine").Select(fact => $"machine {fact.Value}");
        return string.Join(", ", machine.Prepend(arms).Where(part => part.Length > 0));
    }

    internal static string Show(string text, TerminalStyle style) =>
        string.Join('\n', text.Split('\n').Select(line => style.Ascii ? Ascii.Of(UntrustedText.Line(line)) : UntrustedText.Line(line)));

    private static Style Headline(Report report) =>
        new(report.Rows.Any(row => row.Figures.Verdict is Verdict.Regressed or Verdict.Failed) ? Color.Red : null,
            decoration: Decoration.Bold);

    private static Style Colour(ReportRow row) => row.Figures.Verdict switch
    {
        Verdict.Regressed or Verdict.Failed => new Style(Color.Red),
        Verdict.Improved => new Style(Color.Green),
        Verdict.TooNoisy or Verdict.NotSteady or Verdict.DoesNotHold or Verdict.Undecided or Verdict.Unavailable => new Style(Color.Yellow),
        _ => Style.Plain,
    };
}
