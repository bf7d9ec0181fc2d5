using PerfLab.Core.Model;
using PerfLab.Reports.Text;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Reports;

/// <summary>Many cells in a few rows: how many moved in each workload, and how far its median cell did.</summary>
internal static class WorkloadTable
{
    /// <summary>Null when nobody described the cells.</summary>
    public static string? Of(IReadOnlyList<ReportRow> rows)
    {
        if (rows.Any(row => row.Workload is null))
        {
            return null;
        }

        var workloads = rows.GroupBy(row => row.Workload!, StringComparer.Ordinal).OrderByDescending(group => group.Count(row => row.HasMoved)).ThenBy(group => group.Key, StringComparer.Ordinal).ToList();
        var worse = rows.Select(row => Percent.Worse(row.Figures.Unit)).Distinct(StringComparer.Ordinal).ToList();
        var lines = new List<string>
        {
            MarkdownTable.Line(["workload", "cells", "regressed", "improved", $"median change, + is {(worse is [var one] ? one : "worse")}", "worst", "best"]),
            MarkdownTable.Line(["---", .. Enumerable.Repeat("--:", 6)]),
        };
        lines.AddRange(workloads.Select(group => Row(UntrustedText.Code(group.Key), [.. group])));
        if (workloads.Count > 1)
        {
            lines.Add(Row("all", rows));
        }

        return string.Join('\n', lines);
    }

    // Noise is in the median, too; worst and best are of what moved, or they would rank noise.
    private static string Row(string name, IReadOnlyList<ReportRow> rows)
    {
        double[] changes = [.. rows.Select(row => row.Figures.Change).OfType<double>()];
        var units = rows.Select(row => row.Figures.Unit).Distinct(StringComparer.Ordinal).ToList();
        var unit = units is [var only] ? only : rows.All(row => Percent.Worse(row.Figures.Unit) == "slower") ? "s" : "";
        string Shown(double? change) => MarkdownTable.Together(Percent.Change(change, null, null, unit));
        double? Moved(Verdict verdict, Func<IEnumerable<double>, double> choose)
        {
            double[] moved = [.. rows.Where(row => row.Figures.Verdict == verdict).Select(row => row.Figures.Change).OfType<double>()];
            return moved.Length > 0 ? choose(moved) : null;
        }

        return MarkdownTable.Line(
        [
            name,
            rows.Count.ToString(CultureInfo.InvariantCulture),
            rows.Count(row => row.Figures.Verdict == Verdict.Regressed).ToString(CultureInfo.InvariantCulture),
            rows.Count(row => row.Figures.Verdict == Verdict.Improved).ToString(CultureInfo.InvariantCulture),
            Shown(changes.Length > 0 ? Median.Of(changes) : null),
            Shown(Moved(Verdict.Regressed, Enumerable.Max)),
            Shown(Moved(Verdict.Improved, Enumerable.Min)),
        ]);
    }
}
