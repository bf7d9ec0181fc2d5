using PerfLab.Core.Model;
using PerfLab.Core.Profiles;
using PerfLab.Reports;
using PerfLab.Reports.Html;
using PerfLab.Reports.Why;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow;

/// <summary>What a page shows of the files beside a comparison: the journal, what `explain` found, and its flame graphs.</summary>
internal static class PageStep
{
    public const string FileName = "report.html";

    private const long MostBytes = 4L << 20;

    /// <param name="folder">Of the session; null when the comparison came alone.</param>
    /// <param name="comparison">Its rows.</param>
    /// <param name="samples">The journal, where it is at hand.</param>
    public static HtmlParts Parts(string? folder, Comparison comparison, SampleSet? samples)
    {
        var parts = new HtmlParts { Samples = samples };
        if (folder is null || samples is null)
        {
            return parts;
        }

        var explained = Text(Path.Combine(folder, SessionFolder.ExplanationFile), Explanation.File.MostBytes) is { } text
            ? Explanation.File.Read(Encoding.UTF8.GetBytes(text)).Value : null;
        var flames = (explained?.Rows ?? []).Where(row => row.Flame is not null).DistinctBy(row => (row.Cell, row.Arm))
            .ToDictionary(row => new RowKey(row.Cell, row.Arm), ExplanationText.Flame);
        foreach (var row in comparison.Cells.Where(row => row.Primary && IsFileName(row.Cell) && IsFileName(row.Arm)))
        {
            if (Text(Path.Combine(folder, SessionFolder.FlameGraph(row.Cell, row.Arm)), MostBytes) is { } flame)
            {
                flames[new(row.Cell, row.Arm)] = flame;
            }
        }

        return parts with { Explanation = explained, FlameGraphs = flames };
    }

    /// <summary>Ids come from a journal, which may come from anywhere: one with a slash would leave the folder.</summary>
    private static bool IsFileName(string id) =>
        id.Length is > 0 and <= 100 && id.All(letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '_');

    private static string? Text(string path, long mostBytes)
    {
        var file = new FileInfo(path);
        return file is { Exists: true, LinkTarget: null } && file.Length <= mostBytes ? File.ReadAllText(path) : null;
    }
}
