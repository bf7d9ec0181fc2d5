using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Reports.Svg;
using PerfLab.Reports;

namespace PerfLab.Runner.Flow;

/// <summary>Which picture of a session is asked for.</summary>
internal static class PictureStep
{
    private const int MostListed = 20;

    public static Picture Choose(Report report, SampleSet? samples, string? name)
    {
        var pictures = Picture.All(report, samples);
        if (pictures.Count == 0)
        {
            throw new LabException(
                "drawing a picture",
                samples is null ? "there is no samples.ndjson of this session beside comparison.json"
                    : "no launch of this session was measured, or no row has values that can be drawn",
                samples is null ? "keep the session's files together"
                    : "look into the report for why: `./perf-lab report SESSION`");
        }

        return name is null ? pictures[0]
            : pictures.FirstOrDefault(picture => picture.Name == name)
            ?? throw new WrongUseException([new Problem("--picture", $"'{name}' is not a picture of this session.", Listed(pictures))]);
    }

    private static string Listed(IReadOnlyList<Picture> pictures)
    {
        var names = string.Join(", ", pictures.Take(MostListed).Select(picture => picture.Name));
        return pictures.Count > MostListed ? $"There are {names}, …" : $"There are {names}.";
    }
}
