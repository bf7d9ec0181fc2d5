namespace PerfLab.Core.Trends;

/// <summary>A confirmed change is over when a later confirmed change brought its series back to the level before.</summary>
internal static class Recoveries
{
    public static List<TrendChange> Mark(List<TrendChange> changes, List<SeriesLook> looks)
    {
        var confirmed = changes.Where(change => change.Status == ChangeStatus.Confirmed).ToList();
        return changes.ConvertAll(change =>
            change.Status == ChangeStatus.Confirmed && confirmed.Where(later => later.After.Started > change.After.Started)
                .OrderBy(later => later.After.Started)
                .FirstOrDefault(later => TakesBack(later, change, looks)) is { } fix
                ? change with { Status = ChangeStatus.Recovered, RecoveredBy = fix.Id }
                : change);
    }

    private static bool TakesBack(TrendChange later, TrendChange change, List<SeriesLook> looks)
    {
        if (Math.Sign(later.Members[0].Change) == Math.Sign(change.Members[0].Change))
        {
            return false;
        }

        var common = change.Members.Select(member => member.Series)
            .Intersect(later.Members.Select(member => member.Series), StringComparer.Ordinal);
        return common.Select(series => looks.Find(look => look.Hash == series)).OfType<SeriesLook>().Any(look =>
            Find(look, change) is { } first && Find(look, later) is { } second
            && Math.Abs(look.Levels(second).After - look.Levels(first).Before) <= TrendLook.RecoveredWithin);
    }

    /// <summary>Which of the series' changes it is.</summary>
    private static int? Find(SeriesLook look, TrendChange change)
    {
        var place = look.IndexOf(change);
        var near = look.Changes.Index().Where(one => Math.Abs(one.Item.Index - place) <= TrendLook.Tolerance)
            .OrderBy(one => Math.Abs(one.Item.Index - place)).Select(one => (int?)one.Index);
        return near.FirstOrDefault();
    }
}
