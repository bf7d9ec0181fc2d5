using PerfLab.Core.Model;
using PerfLab.Core.Profiles;
using PerfLab.Reports.Curves;
using PerfLab.Reports.Svg;

namespace PerfLab.Reports.Html;

/// <summary>What a page shows beside the report.</summary>
public sealed record HtmlParts
{
    /// <summary>The journal; null: no pictures.</summary>
    public SampleSet? Samples { get; init; }

    /// <summary>What `explain` found; null where nobody asked it.</summary>
    public Explanation? Explanation { get; init; }

    /// <summary>Flame graphs of `explain` as SVG, by row. From a file: shown as images, in which nothing runs.</summary>
    public IReadOnlyDictionary<RowKey, string> FlameGraphs { get; init; } = new Dictionary<RowKey, string>();
}

/// <summary>A whole session as one page that needs no other file: the verdict first, then a table, then a picture a row, then everything
/// else in folds.</summary>
public static class HtmlReport
{
    /// <summary>Rows that get a part of their own, the most urgent first: with 5,000 pictures no browser would scroll.</summary>
    public const int MostPictures = 120;

    public static string Render(Report report, HtmlParts parts)
    {
        var pictures = RowPicture.Of(report).ToDictionary(picture => (picture.Row.Figures.Cell, picture.Row.Figures.Arm));
        var parted = report.Rows.Where(row => pictures.ContainsKey((row.Figures.Cell, row.Figures.Arm)) || row.Failures.Count > 0)
            .Take(MostPictures).Index().ToDictionary(row => row.Item, row => Invariant($"row-{row.Index + 1}"),
            (IEqualityComparer<ReportRow>)ReferenceEqualityComparer.Instance);
        var warmUps = parts.Samples is { } samples
            ? WarmUp.Of(samples).ToDictionary(one => one.CellId, StringComparer.Ordinal) : new Dictionary<string,
            WarmUp>(StringComparer.Ordinal);
        return HtmlPage.SelfContained($"perf-lab: {report.Headline}", writer =>
        {
            Head(writer, report);
            writer.Open("main", ("id", "content"));
            HtmlLists.Warnings(writer, report);
            HtmlTable.Rows(writer, report, row => parted.GetValueOrDefault(row));
            HtmlLists.Write(writer, report);
            Curves(writer, report);
            if (parted.Count > 0)
            {
                writer.Open("section", ("aria-labelledby", "rounds")).Text("h2", "Row by row", ("id", "rounds"));
                foreach (var row in report.Rows.Where(row => parted.ContainsKey(row)))
                {
                    var picture = pictures.GetValueOrDefault((row.Figures.Cell, row.Figures.Arm));
                    HtmlRow.Write(writer, report, new(row, parted[row], picture, warmUps.GetValueOrDefault(row.Figures.Cell)), parts);
                }

                if (pictures.Count > MostPictures)
                {
                    writer.Text("p", Invariant($"The first {parted.Count} of {pictures.Count} rows, the most urgent first. ")
                        + "Each of the others: ./perf-lab report SESSION --format svg --picture NAME (a wrong name lists them).");
                }

                writer.Close();
            }

            HtmlTable.Others(writer, report);
            HtmlMachine.Write(writer, report, parts.Samples);
            writer.Close();
            writer.Open("footer").Text("p", "Made by perf-lab. This page is one file: it loads nothing and sends nothing.",
                ("class", "dim")).Close();
        });
    }

    private static void Head(HtmlWriter writer, Report report)
    {
        writer.Open("header").Text("p", "perf-lab report", ("class", "dim")).Text("h1", report.Headline);
        var sides = new[] { (report.HasSeveralArms ? "reference" : "base", report.Base), ("head", report.Head) }
            .Where(side => !string.IsNullOrEmpty(side.Item2)).ToList();
        if (sides.Count > 0)
        {
            writer.Open("p", ("class", "lead"));
            foreach (var (index, (side, name)) in sides.Index())
            {
                writer.Words(index > 0 ? $" → {side}" : side).Name("code", name!);
            }

            writer.Close();
        }

        var measured = report.Facts.Where(fact => fact.Name is "started" or "machine" or "executor")
            .OrderBy(fact => fact.Name == "started" ? 0 : 1).Select(fact => fact.Value).ToList();
        if (measured.Count > 0)
        {
            writer.Name("p", string.Join(" · ", measured), ("class", "dim"));
        }

        var notes = new[] { report.AboutChanges, report.FalseFlagBudget }.OfType<string>();
        writer.Text("p", string.Join(' ', notes), ("class", "dim")).Close();
    }

    private static void Curves(HtmlWriter writer, Report report)
    {
        if (report.Curves.Count == 0)
        {
            return;
        }

        writer.Open("section", ("aria-labelledby", "curves")).Text("h2", "Curves", ("id", "curves"));
        foreach (var curve in report.Curves)
        {
            writer.Open("figure", ("tabindex", "0"), ("aria-label", $"{curve.Workload}: {curve.Metric.Name} by {curve.Dimension}"))
                .Own(CurveSvg.Render(curve, isInPage: true)).Close();
            writer.Open("details").Text("summary", "The points as a table");
            HtmlTable.Plain(writer, ["series", curve.Dimension, "median", "interval", "change", "launches"],
                CurveRow.Of(curve).Select(point => (IReadOnlyList<string>)[point.Series, point.X, point.Value, point.Interval,
                    point.Change, point.Launches]));
            writer.Close();
        }

        writer.Close();
    }
}
