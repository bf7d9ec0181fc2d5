using PerfLab.Core.Model;

namespace PerfLab.Reports.Why;

/// <summary>The report for a terminal and for Markdown: the same tables, laid out with spaces or with bars.</summary>
public static class JitText
{
    private const int WidestName = 60;

    public static string Plain(JitReport report) => Render(report, static (text, table) => Aligned(text, table), static text => UntrustedText.Line(text), "");

    public static string Markdown(JitReport report) => Render(report, static (text, table) => Bars(text, table), static text => UntrustedText.Code(text), "## ");

    private static string Render(JitReport report, Action<StringBuilder, JitTable> write, Func<string, string> quote, string heading)
    {
        var text = new StringBuilder();
        foreach (var cell in report.Cells)
        {
            text.Append(heading).Append("JIT statistics: ").Append(UntrustedText.Line(cell.Label)).Append("\n\n");
            foreach (var arm in cell.Arms)
            {
                text.Append("- ").Append(quote(arm.Title)).Append(arm.Facts.Count > 0 ? ": " : "").AppendJoin(", ", arm.Facts.Select(fact => UntrustedText.Line(fact))).Append('\n');
                foreach (var doubt in arm.Doubts)
                {
                    text.Append("  - doubt: ").Append(quote(doubt)).Append('\n');
                }
            }

            foreach (var table in JitTable.Of(cell))
            {
                text.Append('\n').Append(UntrustedText.Line(table.Title)).Append("\n\n");
                write(text, table);
            }

            text.Append('\n');
        }

        return text.Append(JitReport.Reading).Append('\n').ToString();
    }

    private static void Aligned(StringBuilder text, JitTable table)
    {
        var rows = table.Rows.Select(row => row.Select((cell, column) => UntrustedText.Line(cell, column == 0 ? WidestName : UntrustedText.MaxNameChars)).ToList()).ToList();
        var widths = table.Head.Select((head, column) => rows.Select(row => row[column].Length).Append(head.Length).Max()).ToList();
        foreach (var row in rows.Prepend([.. table.Head]))
        {
            text.Append("  ");
            for (var column = 0; column < row.Count; column++)
            {
                text.Append(IsText(table, column) ? row[column].PadRight(widths[column]) : row[column].PadLeft(widths[column])).Append("  ");
            }

            while (text[^1] == ' ')
            {
                text.Length--;
            }

            text.Append('\n');
        }
    }

    private static void Bars(StringBuilder text, JitTable table)
    {
        Line(text, table.Head);
        Line(text, [.. table.Head.Select((_, column) => IsText(table, column) ? "---" : "--:")]);
        foreach (var row in table.Rows)
        {
            // Names of methods are the program's text; figures and tiers are ours.
            Line(text, [table.Title.StartsWith("Top", StringComparison.Ordinal) ? UntrustedText.Code(row[0]) : row[0], .. row.Skip(1)]);
        }
    }

    private static bool IsText(JitTable table, int column) => column == 0 || table.Head[column] == "tiers";

    private static void Line(StringBuilder text, IReadOnlyList<string> cells) => text.Append("| ").AppendJoin(" | ", cells).Append(" |\n");
}
