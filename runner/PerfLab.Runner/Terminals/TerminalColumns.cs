using PerfLab.Core.Reporting;

namespace PerfLab.Runner.Terminals;

/// <summary>One column: its title and what it says of a row; text may hold a line break.</summary>
/// <param name="Title">Its heading.</param>
/// <param name="Text">The cell of a row.</param>
/// <param name="IsRight">Figures: right-aligned, never wrapped.</param>
/// <param name="HasColour">Coloured by verdict.</param>
/// <param name="Width">In characters; null: what it needs.</param>
internal sealed record TerminalColumn(string Title, Func<ReportRow, string> Text, bool IsRight = true, bool HasColour = false, int? Width = null);

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
        new("detectable", row => row.Detectable),
        new("verdict", row => row.Verdict, IsRight: false, HasColour: true),
    ];

    /// <summary>80 columns: the figures go below the name, and the verdict stands beside both.</summary>
    public static IReadOnlyList<TerminalColumn> Narrow(Report report) =>
    [
        new($"cell, values, change ({report.Coverage})", row => Below(report, row), IsRight: false),
        new("verdict", row => row.Verdict, IsRight: false, HasColour: true, Width: 18),
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

    private static string Below(Report report, ReportRow row)
    {
        var lines = new List<string> { report.HasSeveralArms ? $"{row.Cell}, {row.Figures.Arm}" : row.Cell };
        if (row.Figures.ArmValue is not null || row.Figures.ReferenceValue is not null)
        {
            lines.Add($"{row.ReferenceValue} -> {row.ArmValue}{(row.Figures.Change is null ? "" : $", {row.Change}")}");
        }

        if (row.Figures.Rounds > 0)
        {
            lines.Add(string.Concat(
                row.Figures.AdjustedP is null ? "" : $"adj. p {row.AdjustedP}, ",
                $"{row.Rounds} rounds",
                row.Figures.Noise is null ? "" : $", noise {row.Noise}",
                row.Figures.SmallestDetectable is null ? "" : $", detectable {row.Detectable}"));
        }

        return string.Join('\n', lines);
    }

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
