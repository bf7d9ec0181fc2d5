using PerfLab.Core.Trends;
using PerfLab.Reports.Html;

namespace PerfLab.Reports.Site;

/// <summary>One line of a list of series, and of a session's page.</summary>
/// <param name="Last">Its newest point on the line that is drawn.</param>
internal sealed record SeriesLine(SeriesName Name, string Hash, int Points, SitePoint Last);

/// <summary>A row of a session.</summary>
internal sealed record SessionRow(SeriesName Name, string Hash, SitePoint Point);

/// <summary>
/// A history as static files. Series come one by one and leave at once, so a site of ten thousand takes no more memory than its lists; the
/// pages
/// that need all of them come last. The same history gives the same bytes.
/// </summary>
public sealed class SiteMaker(SiteHistory history, SiteSettings settings)
{
    /// <summary>Rows on the page of a session, and of each kind: what moved, and the others.</summary>
    private const int MostRowsOfASession = 150;

    private static readonly string[] Moved = ["regressed", "improved", "failed", "not-steady", "too-noisy"];

    private readonly List<SeriesLine> _lines = [];
    private readonly Dictionary<int, (List<SessionRow> Moved, List<SessionRow> Others)> _rows = [];
    private readonly Dictionary<string, WorkloadTrack> _tracks = new(StringComparer.Ordinal);

    /// <param name="series">Each once; asked for one by one.</param>
    /// <param name="problems">What could not be read, known when all series have come: said on the overview.</param>
    public IEnumerable<SiteFile> Files(IEnumerable<SiteSeries> series, IReadOnlyCollection<string> problems)
    {
        foreach (var one in series.Where(one => one.Points.Count > 0))
        {
            Remember(one);
            yield return SeriesPage.Of(settings, history, one);
            yield return SeriesPage.DataOf(history, one);
        }

        _lines.Sort((one, other) => (one.Name.Workload, SiteNames.Label(one.Name), one.Hash)
            .CompareTo((other.Name.Workload, SiteNames.Label(other.Name), other.Hash)));
        var labels = new SiteLabels(_lines);
        yield return new("page.css", HtmlPage.Style);
        yield return new("page.js", HtmlPage.Script);
        yield return new("compare.js", ComparePage.Script);
        yield return OverviewPage.Of(settings, history, _lines, _tracks, problems);
        foreach (var page in WorkloadPages.Of(settings, history, _lines, labels))
        {
            yield return page;
        }

        foreach (var (index, session) in history.Sessions.Index())
        {
            var (moved, others) = _rows.GetValueOrDefault(index, ([], []));
            yield return SessionPages.Of(settings, session, [.. moved, .. others], (history.Trend, labels));
        }

        foreach (var page in SessionPages.Lists(settings, history))
        {
            yield return page;
        }

        yield return ComparePage.Of(settings, history);
        yield return ComparePage.Index(_lines, labels);
        yield return LedgerPages.Aa(settings, history);
        yield return LedgerPages.Machines(settings, history);
    }

    private void Remember(SiteSeries series)
    {
        _lines.Add(new(series.Name, series.Hash, series.Points.Count, series.OnOneLine(history.Sessions)[^1]));
        if (!_tracks.TryGetValue(series.Name.Workload, out var track))
        {
            _tracks.Add(series.Name.Workload, track = new());
        }

        foreach (var point in series.Points)
        {
            if (!_rows.TryGetValue(point.Session, out var rows))
            {
                _rows.Add(point.Session, rows = ([], []));
            }

            var list = Moved.Contains(point.Verdict, StringComparer.Ordinal) ? rows.Moved : rows.Others;
            if (list.Count < MostRowsOfASession)
            {
                list.Add(new(series.Name, series.Hash, point));
            }

            if (history.Sessions[point.Session].Kind == SiteSession.Trend && point.Change is { } change && double.IsFinite(change))
            {
                track.Add(point.Session, change);
            }
        }
    }
}

/// <summary>How a workload went over its sessions: the middle of its series.</summary>
internal sealed class WorkloadTrack
{
    private readonly SortedDictionary<int, List<float>> _changes = [];

    /// <summary>Place of a session, and the median of ln(head / anchor) over the workload's series.</summary>
    public IEnumerable<(int Session, double Median)> Points => _changes.Select(session =>
    {
        var sorted = session.Value.Order().ToList();
        return (session.Key, (double)sorted[sorted.Count / 2]);
    });

    public void Add(int session, double change)
    {
        if (!_changes.TryGetValue(session, out var list))
        {
            _changes.Add(session, list = []);
        }

        list.Add((float)change);
    }
}
