using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Reports.Text;

namespace PerfLab.Reports;

/// <summary>A row that was flagged and measured again: every session's change, and how far they differ.</summary>
/// <param name="Names">The cell, and its arm where there are several. Untrusted.</param>
/// <param name="Text">One sentence of our own words and numbers.</param>
public sealed record RepeatedRow(IReadOnlyList<string> Names, string Text)
{
    /// <summary>Over such rows.</summary>
    public const string Title = "Measured again, minutes later";

    internal static IReadOnlyList<RepeatedRow> Of(Report report) =>
    [
        .. from row in report.Rows
           where row.Figures.Sessions is not null
           select new RepeatedRow(report.HasSeveralArms ? [row.Cell, row.Figures.Arm] : [row.Cell], Sentence(row)),
    ];

    private static string Sentence(ReportRow row)
    {
        var sessions = string.Join("; ", row.Figures.Sessions!.Select((session, index) => Session(session, index, row.Figures.Unit)));
        var spread = row.Figures.SessionSpread is { } differ
            ? $"; all together {row.Change}, "
                + (differ > 0 ? $"they differ by {Percent.Of(differ)} beyond their noise" : "no further apart than their noise")
            : "";
        return sessions + spread;
    }

    private static string Session(SessionChange session, int index, string unit)
    {
        var change = Percent.Change(session.Change, session.Low, session.High, unit);
        var doubt = session.Agrees ? "" : session.Rounds < StageRule.LeastConfirmRounds
            ? Invariant($" ({session.Rounds} complete rounds: too few)") : " (does not agree)";
        return Invariant($"session {index + 1}: {change}{doubt}");
    }
}
