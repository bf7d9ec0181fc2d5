using PerfLab.Core.Reporting;

namespace PerfLab.Runner.Reporting;

/// <summary>One column: its title and what it says of a row; text may hold a line break.</summary>
internal sealed record TerminalColumn(string Title, Func<ReportRow, string> Text, bool IsRight = true, bool HasColour = false);

/// <summary>The columns of each kind of table.</summary>
internal static class TerminalColumns
{
    private static readonly TerminalColumn Rounds = new("rounds", row => row.Rounds);
    private static readonly TerminalColumn Noise = new("noise", row => row.Noise);
    private static readonly TerminalColumn Metric = new("metric", row => row.Figures.Metric, IsRight: false);

    public static IReadOnlyList<TerminalColumn> Wide(Report report) =>
    [
        .. Names(report),
        .. Values(report),
        new($"change ({report.Coverage})", row => row.Change),
        new("adj. p", row => row.AdjustedP),
        Rounds,
        Noise,
        new("verdict", row => row.Verdict, IsRight: false, HasColour: true),
    ];

    /// <summary>80 columns: what belongs together shares a column, one below the other.</summary>
    public static IReadOnlyList<TerminalColumn> Narrow(Report report) =>
    [
        new("cell", row => $"{(report.HasSeveralArms ? $"{row.Cell}, {row.Figures.Arm}" : row.Cell)}\n{row.Rounds} rounds, noise {row.Noise}", IsRight: false),
        .. Values(report),
        new($"change ({report.Coverage})", row => row.Change.Replace(" [", "\n[", StringComparison.Ordinal)),
        new("verdict", row => row.Figures.AdjustedP is null ? row.Verdict : $"{row.Verdict}\nadj. p {row.AdjustedP}", IsRight: false, HasColour: true),
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
            new($"change ({report.Coverage})", row => $"{row.Change}\n{row.Verdict}".TrimEnd()),
        ];

    private static TerminalColumn[] Names(Report report)
    {
        TerminalColumn cell = new("cell", row => row.Cell, IsRight: false);
        return report.HasSeveralArms ? [cell, new TerminalColumn("arm", row => row.Figures.Arm, IsRight: false)] : [cell];
    }

    private static TerminalColumn[] Values(Report report) =>
    [
        new(report.HasSeveralArms ? "reference" : "base", row => row.ReferenceValue),
        new(report.HasSeveralArms ? "value" : "head", row => row.ArmValue),
    ];
}
