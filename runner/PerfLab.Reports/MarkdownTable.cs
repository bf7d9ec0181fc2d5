using System.Text.RegularExpressions;
using PerfLab.Core.Model;
using PerfLab.Reports.Text;

namespace PerfLab.Reports;

/// <summary>Tables of rows in GitHub's Markdown. Names are code spans, always: the reader's eye gets used to it, and no name can do anything.</summary>
internal static partial class MarkdownTable
{
    private sealed record Column(string Title, Func<ReportRow, string> Text, bool IsRight = true, bool IsName = false);

    private static readonly Column Metric = new("metric", row => UntrustedText.Code(row.Figures.Metric), IsRight: false, IsName: true);
    private static readonly Column AdjustedP = new("adj.\u00A0p", row => row.AdjustedP.Replace("<", "&lt;"));
    private static readonly Column Rounds = new("rounds", row => row.Rounds);
    private static readonly Column Noise = new("noise", row => row.Noise);
    private static readonly Column Detectable = new("detectable", row => row.Detectable);

    /// <summary>Base, head, change, verdict of primary metrics.</summary>
    public static string Compared(Report report, IReadOnlyList<ReportRow> rows) => Table(rows,
        [.. Names(report), .. Values(report), Change(report), .. Allocated(report), AdjustedP, Rounds, Noise, Detectable,
            new("verdict", row => row.Verdict, IsRight: false)]);

    /// <summary>Metrics beside the primary one: no verdict, but whether exact ones are equal.</summary>
    public static string Others(Report report) => report.IsOneArm
        ? OneArm(report, report.OtherMetrics)
        : Table(report.OtherMetrics,
            [.. Names(report), Metric, .. Values(report), Change(report), Rounds, Noise, new("exact", row => row.Verdict, IsRight: false)]);

    /// <summary>A session of one arm: values and noise, no verdict column.</summary>
    public static string OneArm(Report report, IReadOnlyList<ReportRow> rows) => Table(rows,
        [.. Names(report), Metric, new("value", row => Value(row.ArmValue)), Rounds, Noise]);

    private static Column[] Names(Report report)
    {
        Column cell = new("cell", row => UntrustedText.Code(row.Cell), IsRight: false, IsName: true);
        return
        [
            cell,
            .. report.HasSeveralArms
                ? [new("arm", row => UntrustedText.Code(row.Figures.Arm), IsRight: false, IsName: true)] : Array.Empty<Column>(),
            .. report.IsSharded ? [new("shard", row => row.Shard)] : Array.Empty<Column>(),
        ];
    }

    private static Column[] Values(Report report) =>
    [
        new(report.HasSeveralArms ? "reference" : "base", row => Value(row.ReferenceValue)),
        new(report.HasSeveralArms ? "value" : "head", row => Value(row.ArmValue)),
    ];

    private static Column[] Allocated(Report report) =>
        report.HasBytes ? [new("allocated", row => HarmlessUnit().IsMatch($"0 {row.Bytes?.Unit}")
            ? row.Allocated.Replace(">", "&gt;") : UntrustedText.Code(row.Allocated))] : [];

    private static Column Change(Report report)
    {
        var worse = report.Rows.Concat(report.OtherMetrics).Select(row => Percent.Worse(row.Figures.Unit)).Distinct(StringComparer.Ordinal).ToList();
        return new($"change ({report.Coverage}), + is {(worse is [var one] ? one : "worse")}", row => row.Change);
    }

    // A unit comes from a journal. Letters and one slash are harmless, except that GitHub links seven hex digits to a commit.
    internal static string Value(string value) => HarmlessUnit().IsMatch(value) ? value : UntrustedText.Code(value);

    private static string Table(IReadOnlyList<ReportRow> rows, IReadOnlyList<Column> columns)
    {
        var lines = new List<string>
        {
            Line(columns.Select(column => Together(column.Title))),
            Line(columns.Select(column => column.IsRight ? "--:" : "---")),
        };
        lines.AddRange(rows.Select(row => Line(columns.Select(column => column.IsName ? column.Text(row) : Together(column.Text(row))))));
        return string.Join('\n', lines);
    }

    /// <summary>A narrow table breaks its lines between figures, not inside one: "8.4 %", "2.66 k", "[+3.7, +4.5]".</summary>
    internal static string Together(string text) => InsideFigure().Replace(text, "\u00A0");

    internal static string Line(IEnumerable<string> cells) => $"| {string.Join(" | ", cells)} |";

    [GeneratedRegex(@"(?<=[0-9]) (?=%|[kMGTmµn]( |/|\z))|(?<=\[[^]]*,) (?=[+-]?[0-9])", RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, 1000)]
    private static partial Regex InsideFigure();

    [GeneratedRegex(@"^(-|-?[0-9.E+-]+( [kMGTmµn]?(/s)?)?( ?(?![a-f]{7})[A-Za-zµ%]{1,20}(/(?![a-f]{7})[A-Za-zµ]{1,20})?)?)\z", RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, 1000)]
    private static partial Regex HarmlessUnit();
}
