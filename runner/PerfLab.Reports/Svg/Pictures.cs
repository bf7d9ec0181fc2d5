using PerfLab.Core.Model;
using PerfLab.Reports.Curves;

namespace PerfLab.Reports.Svg;

/// <summary>A picture that a session can show.</summary>
/// <param name="Name">[a-z0-9-]: what `report --picture` takes.</param>
public sealed record Picture(string Name, Func<string> Render)
{
    /// <summary>Curves first, then the rounds of each row, the most urgent first, then how each cell came up to speed.</summary>
    public static IReadOnlyList<Picture> All(Report report, SampleSet? samples) =>
    [
        .. report.Curves.Select(curve => new Picture(curve.Name, () => CurveSvg.Render(curve))),
        .. RowPicture.Of(report).Select(picture => new Picture(picture.Name, () => RowSvg.Render(picture))),
        .. (samples is null ? [] : WarmUp.Of(samples)).Select(warmUp => new Picture(warmUp.Name, () => WarmUpSvg.Render(warmUp))),
    ];
}
