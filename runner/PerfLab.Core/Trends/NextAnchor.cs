using PerfLab.Core.Files;

namespace PerfLab.Core.Trends;

/// <summary>A newer commit that is measured beside the anchor, so that it can take the anchor's place and every series goes on.</summary>
/// <param name="From">The anchor. Hostile text until rendered.</param>
/// <param name="To">The anchor to come; the same.</param>
/// <param name="Series">Series that measured both.</param>
/// <param name="Ready">Of those, how many did so in enough sessions.</param>
/// <param name="Fewest">Sessions with both, in the series that has the fewest.</param>
/// <param name="Needed">Sessions with both that a series needs (<see cref="TrendSeries.LeastOverlap"/>).</param>
public sealed record NextAnchor(
    string From, string To, [AtLeast(1)] int Series, [AtLeast(0)] int Ready, [AtLeast(1)] int Fewest, [AtLeast(1)] int Needed)
{
    public bool IsReady => Ready == Series;

    /// <summary>The one that the newest sessions of most series measured; null without one.</summary>
    public static NextAnchor? Of(IEnumerable<TrendSeries> all) => all
        .Where(series => series is { Points: [.., var newest], Overlaps: [.., var last] } && last.From == newest.Anchor)
        .Select(series => (series.Overlaps, Last: series.Overlaps[^1]))
        .GroupBy(
            series => (series.Last.From, series.Last.To),
            series => series.Overlaps.Count(one => (one.From, one.To) == (series.Last.From, series.Last.To)))
        .OrderByDescending(group => group.Count()).ThenBy(group => group.Key.To, StringComparer.Ordinal)
        .Select(group => new NextAnchor(group.Key.From, group.Key.To, group.Count(),
            group.Count(sessions => sessions >= TrendSeries.LeastOverlap), group.Min(), TrendSeries.LeastOverlap))
        .FirstOrDefault();
}
