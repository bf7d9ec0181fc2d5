namespace PerfLab.Core.Trends;

/// <summary>
/// A confirmed change is over when every one of its series is back at the level before, or beyond it, through later changes that
/// experiments confirmed too. One that stays away keeps it open.
/// </summary>
internal static class Recoveries
{
    public static List<TrendChange> Mark(List<TrendChange> changes, List<SeriesLook> looks)
    {
        var found = changes.Where(change => change.Status is ChangeStatus.Confirmed or ChangeStatus.Recovered)
            .OrderBy(change => change.After.Started).ThenBy(change => change.Id, StringComparer.Ordinal).ToList();
        return changes.ConvertAll(change => change.Status == ChangeStatus.Confirmed && LastFix(change, found, looks) is { } fix
            ? change with { Status = ChangeStatus.Recovered, RecoveredBy = fix.Id }
            : change);
    }

    /// <summary>The change that brought the last of the series back; null while one is not.</summary>
    private static TrendChange? LastFix(TrendChange change, List<TrendChange> found, List<SeriesLook> looks)
    {
        // A series that the history does not have any more can't come back, and says nothing.
        var away = looks.FindAll(look => Has(change, look.Hash));
        foreach (var fix in found.Where(later => IsAgainst(later, change)))
        {
            if (away.RemoveAll(look => IsBack(look, change, fix)) > 0 && away.Count == 0)
            {
                return fix;
            }
        }

        return null;
    }

    /// <summary>Later, in the other direction, and in a series of the change.</summary>
    private static bool IsAgainst(TrendChange later, TrendChange change) => later.After.Started > change.After.Started
        && Math.Sign(later.Members[0].Change) != Math.Sign(change.Members[0].Change)
        && later.Members.Any(member => Has(change, member.Series));

    private static bool Has(TrendChange change, string series) => change.Members.Any(member => member.Series == series);

    /// <summary>
    /// Whether a series has left the side of the change once the fix is in: what was made slower is over also when it is faster now than
    /// before. The fix need not be seen in it: what joined the change by chance never left that level.
    /// </summary>
    private static bool IsBack(SeriesLook look, TrendChange change, TrendChange fix)
    {
        if (Find(look, change) is not { } first)
        {
            return false;
        }

        var last = look.Changes.Count(one => one.Index <= look.IndexOf(fix) + TrendLook.Tolerance) - 1;
        var away = look.Levels(last).After - look.Levels(first).Before;
        return away * Math.Sign(change.Members[0].Change) <= TrendLook.RecoveredWithin;
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
