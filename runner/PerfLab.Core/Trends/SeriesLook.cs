namespace PerfLab.Core.Trends;

/// <summary>One series as a look sees it: spliced over its anchors, and cut where its level changes.</summary>
internal sealed class SeriesLook
{
    private readonly Dictionary<string, int> _places;
    private readonly HashSet<int> _confirmed;

    private SeriesLook(SeriesName name, IReadOnlyList<TrendPoint> points, string? warning, ILookup<string, TrendChange> confirmed)
    {
        (Name, Points, Warning, Hash) = (name, points, warning, name.Hash);
        _places = points.Index().ToDictionary(point => point.Item.Session, point => point.Index, StringComparer.Ordinal);
        List<(int Index, double PValue)> known =
            [.. confirmed[Hash].Select(change => (IndexOf(change), change.Members.First(member => member.Series == Hash).PValue))];
        _confirmed = [.. known.Select(change => change.Index)];
        Changes = ChangePoints.Of([.. points.Select(point => point.Change)], known: known);
    }

    public SeriesName Name { get; }

    public string Hash { get; }

    /// <summary>A make of machine and an executor: what is measured elsewhere is no part of it.</summary>
    public (string Machine, string Executor) Host => (Name.Machine, Name.Executor);

    public IReadOnlyList<TrendPoint> Points { get; }

    public IReadOnlyList<ChangePoint> Changes { get; }

    public string? Warning { get; }

    /// <param name="series">What was measured.</param>
    /// <param name="confirmed">Changes that an experiment confirmed, by the hash of each of their series.</param>
    public static SeriesLook Of(TrendSeries series, ILookup<string, TrendChange> confirmed)
    {
        var (points, warning) = series.Spliced();
        return new(series.Name, points, warning, confirmed);
    }

    /// <summary>Place of the first point that is not before <paramref name="place"/>.</summary>
    public int IndexOf(TrendPlace place)
    {
        if (_places.TryGetValue(place.Session, out var index))
        {
            return index;
        }

        var later = 0;
        while (later < Points.Count && Points[later].Started < place.Started)
        {
            later++;
        }

        return later;
    }

    /// <summary>Whether this place is known from an experiment: what is seen there now adds nothing.</summary>
    public bool IsConfirmed(ChangePoint change) => _confirmed.Contains(change.Index);

    /// <summary>Where a change is in this series.</summary>
    public int IndexOf(TrendChange change) => IndexOf(change.After) - TrendLook.Widened;

    /// <summary>The level just before and just after a change: the medians of the parts that it parts.</summary>
    public (double Before, double After) Levels(int change)
    {
        double[] values = [.. Points.Select(point => point.Change)];
        var (from, place, to) = (
            change == 0 ? 0 : Changes[change - 1].Index, Changes[change].Index, change + 1 == Changes.Count ? values.Length
                : Changes[change + 1].Index);
        return (ChangePoints.Level(values.AsSpan(from, place - from)), ChangePoints.Level(values.AsSpan(place, to - place)));
    }
}
