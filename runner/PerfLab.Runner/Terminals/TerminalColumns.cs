using PerfLab.Programs;
using PerfLab.Reports;

namespace PerfLab.Runner.Terminals;

/// <summary>One column: its title and what it says of a row; text may hold a line break.</summary>
/// <param name="Title">Its heading.</param>
/// <param name="Text">The cell of a row.</param>
/// <param name="IsRight">Figures: right-aligned, never wrapped.</param>
/// <param name="HasColour">Coloured by verdict.</param>
/// <param name="Width">In characters; null: what it needs.</param>
internal sealed record TerminalColumn(string Title, Func<ReportRow, string> Text, bool IsRight = true, bool HasColour = false, int? Width = null)
{
    /// <summary>Text that is no figure may be wrapped, but a name of two letters on each line is none.</summary>
    private const int LeastOfNames = 20;

    private const int Borders = 3;

    /// <summary>Whether the columns fit beside each other, with names that can still be read.</summary>
    public static bool Fit(IReadOnlyList<TerminalColumn> columns, IReadOnlyList<ReportRow> rows, int width) => 1 + columns.Sum(column =>
    {
        var longest = rows.Select(column.Text).Append(column.Title).SelectMany(text => text.Split('\n')).Max(line => line.Length);
        return Borders + (column.IsRight ? longest : Math.Min(longest, LeastOfNames));
    }) <= width;
}

/// <summary>The columns of each kind of table.</summary>
internal static class TerminalColumns
{
    /// <summary>"undecided, could" and "improved: 14.0 %" on one line.</summary>
    private const int VerdictWidth = 18;

    /// <summary>A bar and a blank on each side.</summary>
    private const int Border = 4;

    private static readonly TerminalColumn Rounds = new("rounds", row => row.Rounds);
    private static readonly TerminalColumn Noise = new("noise", row => row.Noise);
    private static readonly TerminalColumn Metric = new("metric", row => row.Figures.Metric, IsRight: false);

    public static IReadOnlyList<TerminalColumn> Wide(Report report) =>
    [
        .. Names(report),
        .. Values(report),
        new(report.ChangeTitle, row => row.Change),
        .. report.HasBytes ? [new("allocated", row => row.Allocated)] : Array.Empty<TerminalColumn>(),
        .. report.IsQuickLook ? Array.Empty<TerminalColumn>() : [new("adj. p", row => row.AdjustedP)],
        Rounds,
        Noise,
        .. report.IsQuickLook ? Array.Empty<TerminalColumn>() : [new("detectable", row => row.Detectable)],
        new("verdict", row => row.Verdict, IsRight: false, HasColour: true),
    ];

    /// <summary>Where they do not fit beside each other, the figures go below the name, and the verdict stands beside both.</summary>
    /// <param name="report">Whose rows.</param>
    /// <param name="rows">Some of them.</param>
    /// <param name="style">Its width, and whether the figures behind a verdict are told.</param>
    public static IReadOnlyList<TerminalColumn> Narrow(Report report, IReadOnlyList<ReportRow> rows, TerminalStyle style) =>
        report.IsOneArm ? [new("cell, metric, value", row => Below(report, row, style, Border), IsRight: false)]
        : !rows[0].Figures.Primary
            ? [new($"cell, metric, values, {report.ChangeTitle}", row => Below(report, row, style, Border), IsRight: false)]
        :
        [
            new($"cell, values, {report.ChangeTitle}", row => Below(report, row, style, VerdictWidth + 7), IsRight: false),
            new("verdict", row => row.Verdict, IsRight: false, HasColour: true, Width: VerdictWidth),
        ];

    public static IReadOnlyList<TerminalColumn> OneArm(Report report) =>
        [.. Names(report), Metric, new("value", row => row.ArmValue), Rounds, Noise];

    public static IReadOnlyList<TerminalColumn> Others(Report report) => report.IsOneArm
        ? OneArm(report)
        :
        [
            .. Names(report),
            Metric,
            .. Values(report),
            new(report.ChangeTitle, row => $"{row.Change}\n{row.Verdict}".TrimEnd()),
        ];

    private static string Below(Report report, ReportRow row, TerminalStyle style, int taken)
    {
        var figures = row.Figures;
        var width = style.Width - taken;
        return string.Join('\n', new[]
        {
            string.Join(", ", Parts(
                (row.Cell, true),
                (figures.Arm, report.HasSeveralArms),
                ($"shard {row.Shard}", report.IsSharded),
                (figures.Metric, report.IsOneArm || !figures.Primary))),
            Lines(width, Parts(
                (row.ArmValue, report.IsOneArm),
                ($"{row.ReferenceValue} -> {row.ArmValue}", !report.IsOneArm && (figures.ArmValue ?? figures.ReferenceValue) is not null),
                (row.Change, figures.Change is not null),
                (row.Verdict, !figures.Primary && row.Verdict.Length > 0))),
            Lines(width, Parts(($"allocated {row.Allocated}", row.Bytes is not null && (style.ShowsDetails || row.Bytes.Equal == false)))),
            !style.ShowsDetails && figures.Primary && !report.IsOneArm ? "" : Lines(width, Parts(
                ($"adj. p {row.AdjustedP}", figures.AdjustedP is not null && !report.IsQuickLook),
                ($"{row.Rounds} rounds", figures.Rounds > 0 && (figures.Primary || report.IsOneArm)),
                ($"noise {row.Noise}", figures.Noise is not null),
                ($"detectable {row.Detectable}", figures.SmallestDetectable is not null))),
        }.Where(line => line.Length > 0));
    }

    private static IEnumerable<string> Parts(params (string Text, bool IsShown)[] parts) => parts.Where(part => part.IsShown).Select(part => part.Text);

    /// <summary>Broken between figures, never inside of one.</summary>
    private static string Lines(int width, IEnumerable<string> parts) => parts.Aggregate("", (lines, part) =>
        lines.Length == 0 ? part
        : lines.Length - (lines.LastIndexOf('\n') + 1) + 2 + part.Length <= width ? $"{lines}, {part}"
        : $"{lines},\n{part}");

    private static TerminalColumn[] Names(Report report)
    {
        TerminalColumn cell = new("cell", row => row.Cell, IsRight: false);
        return
        [
            cell,
            .. report.HasSeveralArms ? [new("arm", row => row.Figures.Arm, IsRight: false)] : Array.Empty<TerminalColumn>(),
            .. report.IsSharded ? [new("shard", row => row.Shard)] : Array.Empty<TerminalColumn>(),
        ];
    }

    private static TerminalColumn[] Values(Report report) =>
    [
        new(report.HasSeveralArms ? "reference" : "base", row => row.ReferenceValue),
        new(report.HasSeveralArms ? "value" : "head", row => row.ArmValue),
    ];
}
