using PerfLab.Reports;

namespace PerfLab.Runner.Terminals;

/// <summary>What every row's name ends with is said once, above the table.</summary>
internal static class SharedSettings
{
    private const string Between = " / ";

    /// <summary>The report with shorter names, and what they no longer say: "net10.0.14 / pgo on", null where rows share nothing.</summary>
    public static (Report Shown, string? Shared) Of(Report report)
    {
        var names = report.Rows.Select(row => row.Cell.Split(Between)).ToList();
        var shared = 0;
        while (names.Count > 1 && names.TrueForAll(parts => parts.Length > shared + 1)
            && names.Select(parts => parts[^(shared + 1)]).Distinct(StringComparer.Ordinal).Count() == 1)
        {
            shared++;
        }

        if (shared == 0)
        {
            return (report, null);
        }

        var end = Between + string.Join(Between, names[0][^shared..]);
        ReportRow Shorter(ReportRow row) =>
            row.Cell.EndsWith(end, StringComparison.Ordinal) ? row with { Cell = row.Cell[..^end.Length] } : row;
        return (report with { Rows = [.. report.Rows.Select(Shorter)], OtherMetrics = [.. report.OtherMetrics.Select(Shorter)] },
            end[Between.Length..]);
    }
}
