namespace PerfLab.Core.Trends;

/// <summary>A commit of which something is known.</summary>
/// <param name="Place">On the line; 0 is the anchor.</param>
/// <param name="Values">Of each row that has one: ln(commit / anchor), and half the width of its interval.</param>
/// <param name="Runs">The same for commits of which nothing differs that is run; null: nobody knows.</param>
public sealed record BackfilledPlace(
    int Place, IReadOnlyDictionary<string, (double Change, double Half)> Values, string? Runs = null);

/// <summary>
/// Which commit of a line to measure next, so that few tell most: the ends, then the middle of the gap about which least is known. A gap is
/// the wider, the more commits lie in it, and the more its ends differ beyond what their intervals explain. Between two that run the same
/// nothing is looked for: only a change that was taken back could be there.
/// </summary>
public static class BackfillOrder
{
    /// <summary>
    /// A gap whose ends differ clearly counts as one of so many times the commits, and no more: a large step needs three more points than a
    /// calm stretch to be halved to its commit, not all of them.
    /// </summary>
    public const double MostWeight = 8;

    /// <param name="commits">How many there are on the line, the anchor among them.</param>
    /// <param name="known">Commits that have values, the anchor among them.</param>
    /// <param name="leftOut">Places that can't be measured.</param>
    /// <param name="tags">Places that have a name: of those near the middle one is taken first.</param>
    /// <returns>A place; null when all are known or left out.</returns>
    public static int? Next(
        int commits, IReadOnlyList<BackfilledPlace> known, IReadOnlySet<int> leftOut, IReadOnlySet<int> tags)
    {
        var places = known.OrderBy(place => place.Place).ToList();
        // The end is the newest that can be measured.
        var end = Enumerable.Range(0, commits).Last(place => place == 0 || !leftOut.Contains(place));
        if (places[^1].Place < end)
        {
            return end;
        }

        return places.Zip(places.Skip(1)).Where(gap => gap.First.Runs is null || gap.First.Runs != gap.Second.Runs).Select(gap => (
                Free: Enumerable.Range(gap.First.Place + 1, gap.Second.Place - gap.First.Place - 1)
                    .Where(place => !leftOut.Contains(place)).ToList(),
                Weight: Weight(gap.First, gap.Second)))
            .Where(gap => gap.Free.Count > 0)
            // Of equals the newest: that is what people ask about.
            .Aggregate(default((List<int> Free, double Weight)?), (best, gap) =>
                best is null || gap.Free.Count * gap.Weight >= best.Value.Free.Count * best.Value.Weight ? gap : best)
            is { } widest ? Middle(widest.Free, tags) : null;
    }

    private static double Weight(BackfilledPlace first, BackfilledPlace second) => second.Values
        .Select(row =>
        {
            var (change, half) = first.Values.GetValueOrDefault(row.Key);
            var noise = Math.Sqrt((half * half) + (row.Value.Half * row.Value.Half));
            return noise > 0 ? Math.Clamp(Math.Abs(row.Value.Change - change) / noise, 1, MostWeight) : 1;
        }).DefaultIfEmpty(1).Max();

    /// <summary>A tag in the middle half, the nearest to the middle; or the middle itself.</summary>
    private static int Middle(List<int> free, IReadOnlySet<int> tags)
    {
        var middle = (free.Count - 1) / 2;
        return free.Index().Where(one => tags.Contains(one.Item) && Math.Abs(one.Index - middle) <= free.Count / 4)
            .OrderBy(one => Math.Abs(one.Index - middle)).Select(one => (int?)one.Item).FirstOrDefault() ?? free[middle];
    }
}
