using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Trends;

/// <summary>
/// An anchor is the same build in every session, so a step of its own value is the machine's: a new kernel, another microcode. Where the
/// anchors of many series step together, the step is host-wide.
/// </summary>
public static class HostSteps
{
    /// <summary>Share of a machine's series whose anchors must step together.</summary>
    public const double LeastShare = 0.5;

    /// <summary>Sessions by which the series may disagree about the place.</summary>
    public const int Tolerance = 1;

    /// <summary>Points after a known step from which on its place is taken as it is.</summary>
    public const int SettledAfter = 8;

    /// <summary>A known step whose anchors lie closer than this, in log units, when more is known of them, was none.</summary>
    public const double LeastSize = 0.01;

    /// <param name="series">Of one machine.</param>
    /// <param name="known">Steps that earlier looks found: the series are cut there first, because two steps hide each other.</param>
    public static IReadOnlyList<HostStep> Of(IReadOnlyList<TrendSeries> series, IReadOnlyList<HostStep> known)
    {
        var sessions = series.SelectMany(one => one.Points).DistinctBy(point => point.Session, StringComparer.Ordinal)
            .OrderBy(point => point.Started).ThenBy(point => point.Session, StringComparer.Ordinal).ToList();
        var place = sessions.Index().ToDictionary(session => session.Item.Session, session => session.Index, StringComparer.Ordinal);
        var sizes = Enumerable.Range(0, sessions.Count).Select(_ => new List<double>()).ToArray();
        foreach (var (index, size) in series.SelectMany(one => Steps(one, known)).Select(step => (place[step.Session], step.Size)))
        {
            sizes[index].Add(size);
        }

        var steps = new List<HostStep>();
        for (var at = 1; at < sizes.Length; at++)
        {
            var near = sizes[Math.Max(0, at - Tolerance)..Math.Min(sizes.Length, at + Tolerance + 1)];
            var together = near.Sum(list => list.Count);
            if (together < LeastShare * series.Count || sizes[at].Count == 0 || near.Any(list => list.Count > sizes[at].Count))
            {
                continue;
            }

            steps.Add(new(
                series[0].Name.Machine, series[0].Name.Cpu, PlaceOf(sessions[at - 1]), PlaceOf(sessions[at]),
                    Math.Min(1, (double)together / series.Count),
                Math.Exp(Median.Of(near.SelectMany(list => list))) - 1));
            // The neighbours told the same step.
            at += Tolerance;
        }

        return steps;
    }

    public static TrendPlace PlaceOf(TrendPoint point) => new(point.Session, point.Started, point.Commit);

    /// <summary>Steps of one series' anchors, each anchor for itself.</summary>
    private static IEnumerable<(string Session, double Size)> Steps(TrendSeries series, IReadOnlyList<HostStep> known)
    {
        var values = series.Points.Where(point => point.AnchorLevel is not null).ToList();
        foreach (var anchor in values.GroupBy(point => point.Anchor, StringComparer.Ordinal))
        {
            var points = anchor.ToList();
            // A step that is seen in few points may still move to its place.
            var cuts = known.Select(step => (Index: points.FindIndex(point => point.Started >= step.After.Started), PValue: 0.0))
                .Where(cut => points.Count - cut.Index >= SettledAfter).ToList();
            foreach (var change in ChangePoints.Of([.. points.Select(point => point.AnchorLevel!.Value)], known: cuts))
            {
                if (change.PValue > 0 || Math.Abs(change.Size) >= LeastSize)
                {
                    yield return (points[change.Index].Session, change.Size);
                }
            }
        }
    }
}
