using PerfLab.Core.Reporting;
using PerfLab.Core.Reporting.Curves;
using PerfLab.Core.Reporting.Svg;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow;

/// <summary>A session with a sweep gets its curves as files: numbers and pictures.</summary>
internal static class CurveFiles
{
    /// <summary>The names of what was written; none for a session without a sweep.</summary>
    public static IReadOnlyList<string> Write(SessionFolder folder, Report report)
    {
        if (report.Curves.Count == 0)
        {
            return [];
        }

        SessionFolder.WriteWhole(Path.Combine(folder.Folder, "curves.json"), CurvesFile.Write(report.Comparison.Session, report.Curves));
        foreach (var curve in report.Curves)
        {
            SessionFolder.WriteWhole(Path.Combine(folder.Folder, curve.Name + ".svg"), CurveSvg.Render(curve));
        }

        return ["curves.json", .. report.Curves.Select(curve => curve.Name + ".svg")];
    }
}
