using PerfLab.Building.Tools;
using PerfLab.Core.Files;

namespace PerfLab.Runner.Commits;

/// <summary>A commit on the line from the anchor on.</summary>
/// <param name="Id">Full id.</param>
/// <param name="Subject">First line of its message: anybody's text.</param>
/// <param name="At">Where its session stands in a trend, UTC.</param>
/// <param name="Tags">Its names: anybody's text.</param>
internal sealed record PastCommit(string Id, string Subject, DateTimeOffset At, IReadOnlyList<string> Tags)
{
    /// <summary>The line of first parents, the anchor first; and the tags after the anchor that are not on it.</summary>
    /// <param name="git">The repository that the target lies in.</param>
    /// <param name="since">The anchor, as typed.</param>
    /// <param name="now">No session stands in the future.</param>
    /// <param name="problems">Grows; then the line is empty.</param>
    public static (IReadOnlyList<PastCommit> Line, IReadOnlyList<string> Beside) Of(
        Git git, string since, DateTimeOffset now, ICollection<Problem> problems)
    {
        var found = new List<Problem>();
        var line = CommitLine.Between(git, since, "HEAD", found);
        foreach (var problem in found)
        {
            // What is searched there from good to bad is filled here from the anchor to the newest.
            problems.Add(problem with { Where = "--since" });
        }

        if (line.Count == 0)
        {
            return ([], []);
        }

        var tags = git.Tags(since).ToLookup(tag => tag.Commit, tag => tag.Name, StringComparer.Ordinal);
        var dates = git.Dates(line[0].Id, line[^1].Id);
        var places = InOrder([.. line.Select(commit => dates.GetValueOrDefault(commit.Id, now))], now);
        var ids = line.Select(commit => commit.Id).ToHashSet(StringComparer.Ordinal);
        return ([.. line.Zip(places, (commit, at) => new PastCommit(commit.Id, commit.Subject, at, [.. tags[commit.Id]]))],
            [.. tags.Where(tag => !ids.Contains(tag.Key)).SelectMany(tag => tag).Order(StringComparer.Ordinal)]);
    }

    /// <summary>
    /// The dates in the order of the branch, each later than the one before: a rebase, and a clock that was wrong, give a date out of
    /// order. As many as can be stay; another stands right after the one before it. None is later than now.
    /// </summary>
    public static IReadOnlyList<DateTimeOffset> InOrder(IReadOnlyList<DateTimeOffset> dates, DateTimeOffset now)
    {
        var kept = Rising([.. dates.Select(date => date.UtcTicks)]);
        var places = new DateTimeOffset[dates.Count];
        for (var place = 0; place < places.Length; place++)
        {
            var least = place == 0 ? dates[kept.Min()].ToUniversalTime() - (kept.Min() * Apart) : places[place - 1] + Apart;
            var date = kept.Contains(place) ? dates[place].ToUniversalTime() : least;
            var most = now.ToUniversalTime() - ((places.Length - 1 - place) * Apart);
            var inOrder = date < least ? least : date;
            places[place] = inOrder > most ? most : inOrder;
        }

        return places;
    }

    /// <summary>A history tells times apart by the millisecond.</summary>
    private static readonly TimeSpan Apart = TimeSpan.FromMilliseconds(1);

    /// <summary>Places of a longest part that does not fall: by the least end of a part of each length, and who stood before it.</summary>
    private static HashSet<int> Rising(IReadOnlyList<long> values)
    {
        var ends = new List<int>();
        var before = new int[values.Count];
        for (var place = 0; place < values.Count; place++)
        {
            var length = ends.FindIndex(end => values[end] > values[place]);
            length = length < 0 ? ends.Count : length;
            before[place] = length == 0 ? -1 : ends[length - 1];
            if (length == ends.Count)
            {
                ends.Add(place);
            }
            else
            {
                ends[length] = place;
            }
        }

        var kept = new HashSet<int>();
        for (var place = ends.Count == 0 ? -1 : ends[^1]; place >= 0; place = before[place])
        {
            kept.Add(place);
        }

        return kept;
    }
}
