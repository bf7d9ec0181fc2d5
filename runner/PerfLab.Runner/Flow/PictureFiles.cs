using PerfLab.Reports;
using PerfLab.Reports.Curves;
using PerfLab.Reports.Html;
using PerfLab.Reports.Svg;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow;

/// <summary>What a session gets to be looked at: one page with everything, a picture for each row that moved, and the curves of a
/// sweep.</summary>
internal static class PictureFiles
{
    /// <summary>Rows that get a file of their own; the page has more.</summary>
    private const int MostRows = 20;

    /// <summary>With so few rows, each has one, whatever its verdict.</summary>
    private const int FewRows = 5;

    /// <summary>The names of what was written.</summary>
    public static IReadOnlyList<string> Write(string folder, Report report, HtmlParts parts)
    {
        SessionFolder.WriteWhole(Path.Combine(folder, PageStep.FileName), HtmlReport.Render(report, parts));
        List<(string File, string Content)> files =
        [
            .. RowPicture.Of(report).Where(picture => picture.Row.HasMoved || report.Rows.Count <= FewRows).Take(MostRows)
                .Select(picture => (picture.Name + ".svg", RowSvg.Render(picture))),
        ];
        if (report.Curves.Count > 0)
        {
            files.Add(("curves.json", CurvesFile.Write(report.Comparison.Session, report.Curves)));
            files.AddRange(report.Curves.Select(curve => (curve.Name + ".svg", CurveSvg.Render(curve))));
        }

        foreach (var (file, content) in files)
        {
            SessionFolder.WriteWhole(Path.Combine(folder, file), content);
        }

        return [PageStep.FileName, .. files.Select(file => file.File)];
    }
}
