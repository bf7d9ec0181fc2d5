using System.Globalization;
using System.Text.RegularExpressions;

namespace PerfLab.Core.Reporting;

/// <summary>Tables of rows in GitHub's Markdown. Names are code spans, always: the reader's eye gets used to it, and no name can do anything.</summary>
internal static partial class MarkdownTable
{
    private static readonly (string Title, bool IsRight, Func<ReportRow, string> Text)[] Figures =
    [
        ("adj. p", true, row => row.AdjustedP.Replace("<", "&lt;", StringComparison.Ordinal)),
        ("rounds", true, row => row.Rounds),
        ("noise", true, row => row.Noise),
    ];

    /// <summary>Base, head, change, verdict of primary metrics.</summary>
    public static string Compared(Report report, IReadOnlyList<ReportRow> rows) => Table(rows,
    [
        .. Names(report),
        .. Values(report),
        ($"change ({report.Coverage})", true, row => row.Change),
        .. Figures,
        ("verdict", false, row => row.Verdict),
    ]);

    /// <summary>Metrics beside the primary one: no verdict, but whether exact ones are equal.</summary>
    public static string Others(Report report) => Table(report.OtherMetrics,
    [
        .. Names(report),
        ("metric", false, row => UntrustedText.Code(row.Figures.Metric)),
        .. report.IsOneArm ? Values(report)[1..] : Values(report),
        .. report.IsOneArm ? [] : new[] { ($"change ({report.Coverage})", true, (Func<ReportRow, string>)(row => row.Change)) },
        ("rounds", true, row => row.Rounds),
        ("noise", true, row => row.Noise),
        .. report.IsOneArm ? [] : new[] { ("exact", false, (Func<ReportRow, string>)(row => row.Verdict)) },
    ]);

    /// <summary>A session of one arm: values and noise, no verdict column.</summary>
    public static string OneArm(Report report) => Table(report.Rows,
    [
        .. Names(report),
        ("metric", false, row => UntrustedText.Code(row.Figures.Metric)),
        ("value", true, row => Value(row.ArmValue)),
        ("rounds", true, row => row.Rounds),
        ("noise", true, row => row.Noise),
    ]);

    private static (string, bool, Func<ReportRow, string>)[] Names(Report report)
    {
        (string, bool, Func<ReportRow, string>) cell = ("cell", false, row => UntrustedText.Code(row.Cell));
        return report.HasSeveralArms ? [cell, ("arm", false, row => UntrustedText.Code(row.Figures.Arm))] : [cell];
    }

    private static (string, bool, Func<ReportRow, string>)[] Values(Report report) =>
    [
        (report.HasSeveralArms ? "reference" : "base", true, row => Value(row.ReferenceValue)),
        (report.HasSeveralArms ? "value" : report.IsOneArm ? "value" : "head", true, row => Value(row.ArmValue)),
    ];

    // A unit comes from a journal. Letters and one slash are harmless, except that GitHub links seven hex digits to a commit.
    private static string Value(string value) => HarmlessUnit().IsMatch(value) ? value : UntrustedText.Code(value);

    private static string Table(IReadOnlyList<ReportRow> rows, IReadOnlyList<(string Title, bool IsRight, Func<ReportRow, string> Text)> columns)
    {
        var lines = new List<string>
        {
            Line(columns.Select(column => column.Title)),
            Line(columns.Select(column => column.IsRight ? "--:" : "---")),
        };
        lines.AddRange(rows.Select(row => Line(columns.Select(column => column.Text(row)))));
        return string.Join('\n', lines);
    }

    private static string Line(IEnumerable<string> cells) => string.Create(CultureInfo.InvariantCulture, $"| {string.Join(" | ", cells)} |");

    [GeneratedRegex(@"^(-|-?[0-9.E+-]+( [kMGTmµn]?(/s)?)?( ?(?![a-f]{7})[A-Za-zµ%]{1,20}(/(?![a-f]{7})[A-Za-zµ]{1,20})?)?)\z", RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, 1000)]
    private static partial Regex HarmlessUnit();
}
