using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Trends;

/// <summary>One session of a series.</summary>
/// <param name="Session">Its id.</param>
/// <param name="Started">UTC.</param>
/// <param name="Commit">What was measured; null when the session does not say.</param>
/// <param name="Anchor">What it was measured against.</param>
/// <param name="Change">ln(head / anchor), + is worse.</param>
/// <param name="AnchorLevel">ln of the anchor's own value, + is worse; null when it has none.</param>
public sealed record TrendPoint(string Session, DateTimeOffset Started, string? Commit, string Anchor, double Change, double? AnchorLevel);

/// <summary>Both anchors in one session: how the series goes on when the anchor changes.</summary>
/// <param name="From">The old anchor.</param>
/// <param name="To">The one to come.</param>
/// <param name="Change">ln(to / from), + is worse.</param>
public sealed record AnchorOverlap(string From, string To, double Change);

/// <summary>What sessions said about one program on one make of machine, from the oldest to the newest.</summary>
public sealed record TrendSeries(SeriesName Name, IReadOnlyList<TrendPoint> Points)
{
    /// <summary>Fewer sessions with both anchors don't join what was measured against the one and the other.</summary>
    public const int LeastOverlap = 5;

    public IReadOnlyList<AnchorOverlap> Overlaps { get; init; } = [];

    /// <summary>
    /// All points against the first anchor: where the anchor changed, the median distance of the two is added. Without enough sessions
    /// that measured both, the series begins anew.
    /// </summary>
    public (IReadOnlyList<TrendPoint> Points, string? Warning) Spliced()
    {
        var points = new List<TrendPoint>(Points.Count);
        var (offset, warning) = (0.0, (string?)null);
        foreach (var point in Points)
        {
            if (points.Count > 0 && point.Anchor != points[^1].Anchor)
            {
                double[] distances = [.. Overlaps.Where(overlap => overlap.From == points[^1].Anchor && overlap.To == point.Anchor)
                    .Select(overlap => overlap.Change)];
                if (distances.Length < LeastOverlap)
                {
                    warning = Invariant($"the anchor changed at session {point.Session}")
                        + Invariant($" with {distances.Length} sessions that measured both ({LeastOverlap} are needed): ")
                        + "the series begins anew there";
                    points.Clear();
                    offset = 0;
                }
                else
                {
                    offset += Median.Of(distances);
                }
            }

            points.Add(offset == 0 ? point : point with { Change = point.Change + offset });
        }

        return (points, warning);
    }
}
