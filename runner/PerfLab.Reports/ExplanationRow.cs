using PerfLab.Core.Model;
using PerfLab.Reports.Text;

namespace PerfLab.Reports;

/// <summary>A row that was explained: what changed in it, a line each.</summary>
/// <param name="Names">The cell, and its arm where there are several. Untrusted.</param>
/// <param name="Work">What everything is counted for. Untrusted.</param>
/// <param name="Lines">For Markdown, foreign names as code.</param>
/// <param name="Plain">For terminals and pages. Untrusted: foreign names as they came.</param>
public sealed record ExplanationRow(IReadOnlyList<string> Names, string Work, IReadOnlyList<string> Lines, IReadOnlyList<string> Plain)
{
    /// <summary>Over such rows.</summary>
    public const string Title = "Why it moved: what changed beyond chance, from traced launches of both";

    private const int LongestName = 110;

    internal static IReadOnlyList<ExplanationRow> Of(Report report) =>
        [.. report.Rows.Select(row => Of(row, report.HasSeveralArms)).OfType<ExplanationRow>()];

    /// <summary>Null where nobody looked.</summary>
    internal static ExplanationRow? Of(ReportRow row, bool withArm)
    {
        if (row.Figures.Why is not { } why)
        {
            return null;
        }

        return new(withArm ? [row.Cell, row.Figures.Arm] : [row.Cell], why.Work,
            ExplanationLines.Lines(why, name => UntrustedText.Code(name)), ExplanationLines.Lines(why, name => UntrustedText.Line(name, LongestName)));
    }
}
