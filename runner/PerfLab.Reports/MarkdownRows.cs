using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Reports.Curves;

namespace PerfLab.Reports;

/// <summary>The rows of a report: those worth reading open, what was measured beside them folded.</summary>
internal static class MarkdownRows
{
    /// <summary>So many that moved or failed stand open.</summary>
    private const int MostOpen = 20;

    /// <summary>Rows without an answer fill the table up to this many: on a noisy machine they would be all there is to see.</summary>
    private const int FewOpen = 10;

    /// <summary>Up to this many rows, a fold only hides things.</summary>
    private const int AllOpen = 3;

    /// <summary>Of a curve with more points, the table would push all that follows out of sight.</summary>
    private const int MostOpenPoints = 24;
    private const int MostNamed = 500;

    /// <summary>In the order of the report.</summary>
    public static IReadOnlyList<ReportRow> Open(Report report)
    {
        if (report.IsOneArm || report.Rows.Count <= AllOpen)
        {
            return report.IsOneArm && report.Rows.Count > MostOpen ? [.. report.Rows.Take(MostOpen)] : report.Rows;
        }

        var answered = report.Rows.Where(row => row.NeedsAttention && !IsWithoutAnswer(row)).Take(MostOpen).ToHashSet();
        var others = report.Rows.Where(row => row.NeedsAttention && IsWithoutAnswer(row)).Take(Math.Max(0, FewOpen - answered.Count));
        var open = answered.Concat(others).ToHashSet();
        return [.. report.Rows.Where(open.Contains)];
    }

    public static IEnumerable<MarkdownSection> Sections(Report report, IReadOnlyList<ReportRow> open)
    {
        // A sweep is measured for its curve.
        foreach (var curve in report.Curves.Where(curve => report.IsOneArm && CurveRow.Of(curve).Count <= MostOpenPoints))
        {
            yield return new("Curves", CurveMarkdown.Of(curve));
        }

        if (open.Count > 0 && (!report.IsOneArm || report.Curves.Count == 0))
        {
            yield return new("Rows worth reading", Table(report, open));
            if (report.AboutChanges is { } about && !report.IsOneArm)
            {
                yield return new("About changes", about);
            }
        }

        if (report.Budget.Count > 0 && report.Rows.Any(row => row.Figures.Budget?.Overspent == true))
        {
            yield return Budget(report);
        }
    }

    internal static MarkdownSection Budget(Report report) =>
        new(BudgetLine.Title, string.Join('\n', [$"{BudgetLine.Title}:", "", .. report.Budget.Select(line => line.Markdown)]));

    /// <summary>Everything else, the longest last.</summary>
    public static IEnumerable<MarkdownSection> Folded(Report report, IReadOnlyList<ReportRow> open)
    {
        var seen = open.ToHashSet();
        var untouched = report.Rows.Where(row => row.Figures.Verdict == Verdict.Untouched && !seen.Contains(row)).ToList();
        if (untouched.Count > 0)
        {
            var more = untouched.Count > MostNamed ? Invariant($" and {untouched.Count - MostNamed} more") : "";
            yield return MarkdownSection.Folded(
                Invariant($"{untouched.Count} of {Counted.Of(report.Rows.Count, report.RowWord)} not measured: ")
                    + "nothing that they run changed",
                string.Join(", ", untouched.Take(MostNamed).Select(row => UntrustedText.Code(row.Cell))) + more);
        }

        var rest = report.Rows.Where(row => !seen.Contains(row) && row.Figures.Verdict != Verdict.Untouched).ToList();
        if (rest.Count > 0 && (!report.IsOneArm || report.Curves.Count == 0))
        {
            var title = $"{Counted.Of(rest.Count, $"more {report.RowWord}")}{What(report, rest)}";
            yield return MarkdownSection.Folded(title, Table(report, rest));
        }
        else if (rest.Count + open.Count > 0 && report is { IsOneArm: true, Curves.Count: > 0 })
        {
            yield return MarkdownSection.Folded("The values behind the curve", Table(report, report.Rows));
        }
    }

    /// <summary>": no change found in 11 (would have seen 1.3 %), 2 too noisy to say".</summary>
    private static string What(Report report, IReadOnlyList<ReportRow> rows)
    {
        if (report.IsOneArm)
        {
            return "";
        }

        var others = rows.Where(row => !Headline.IsQuiet(row.Figures))
            .GroupBy(RowMark.Word, StringComparer.Ordinal).Select(group => Invariant($"{group.Count()} {group.Key}"));
        return $": {string.Join(", ", new[] { Headline.Quiet(rows.Select(row => row.Figures)) }.OfType<string>().Concat(others))}";
    }

    private static string Table(Report report, IReadOnlyList<ReportRow> rows) =>
        report.IsOneArm ? MarkdownTable.OneArm(report, rows) : MarkdownTable.Compared(report, rows);

    private static bool IsWithoutAnswer(ReportRow row) =>
        row.Figures.Verdict is Verdict.TooNoisy or Verdict.NotSteady
            && (row.Bytes is not { } bytes || Allocations.Moved(bytes) == 0);
}
