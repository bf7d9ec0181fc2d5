namespace PerfLab.Reports;

/// <summary>What every row's name ends with is said once, beside the table.</summary>
public static class SharedSettings
{
    private const string Between = " / ";

    /// <summary>The report with shorter names, and what they no longer say: "net10.0.14 / pgo on", null where rows share nothing.</summary>
    /// <param name="report">What is to be said.</param>
    /// <param name="leastRows">With fewer rows than these, names stay as they are.</param>
    public static (Report Shown, string? Shared) Of(Report report, int leastRows = 2)
    {
        var names = report.Rows.Select(row => row.Cell.Split(Between)).ToList();
        var shared = 0;
        while (names.Count >= leastRows && names.Count > 0 && names.TrueForAll(parts => parts.Length > shared + 1)
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
