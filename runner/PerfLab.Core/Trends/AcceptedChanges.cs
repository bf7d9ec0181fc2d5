using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Files;

namespace PerfLab.Core.Trends;

/// <summary>A change for the worse in one series that people know of and keep.</summary>
public sealed record AcceptedChange
{
    /// <summary>What was named when it was accepted: a change of the trend, or a session.</summary>
    public required string Id { get; init; }

    /// <summary>The series (<see cref="SeriesName.Hash"/>).</summary>
    [RegularExpression("^[0-9a-f]{64}$", ErrorMessage = "64 digits of 0-9 and a-f")]
    public required string Series { get; init; }

    /// <summary>The commit before it; null when nobody said.</summary>
    public required string? Before { get; init; }

    /// <summary>The session that showed it, with the commit after it.</summary>
    public required TrendPlace After { get; init; }

    /// <summary>Level after against level before, a fraction: + is worse.</summary>
    [AtLeast(-1)]
    public required double Change { get; init; }

    /// <summary>Why it is kept. A person's words: hostile text until rendered.</summary>
    public required string Because { get; init; }

    /// <summary>When it was accepted. UTC.</summary>
    public required DateTimeOffset On { get; init; }

    /// <summary>Whether a session that measured one commit against another shows just this.</summary>
    public bool IsOf(string series, string? before, string? after) =>
        Series == series && before is not null && after is not null && Before == before && After.Commit == after;
}

/// <summary>accepted.json: the changes for the worse that people know of; neither the trend nor a report calls them again.</summary>
public sealed record AcceptedChanges
{
    public const int MostReasonChars = 500;

    public static FileFormat<AcceptedChanges> File { get; } =
        new("perf-lab/accepted/1", "accepted.json: changes for the worse that people know of and keep");

    /// <summary>In the order in which they were accepted.</summary>
    public required IReadOnlyList<AcceptedChange> Changes { get; init; }

    public static AcceptedChanges None { get; } = new() { Changes = [] };

    /// <summary>These and those of <paramref name="others"/> that are not there yet.</summary>
    public AcceptedChanges With(IEnumerable<AcceptedChange> others)
    {
        var known = Changes.Select(change => (change.Id, change.Series)).ToHashSet();
        return this with { Changes = [.. Changes, .. others.Where(change => known.Add((change.Id, change.Series)))] };
    }

    /// <summary>Why a change is kept; null unless it is, in all of its series.</summary>
    internal string? Reason(TrendChange change, IReadOnlyList<SeriesLook> looks)
    {
        var found = change.Members.Select(member => Changes.FirstOrDefault(known => Is(known, change, member, looks))).ToList();
        return found.TrueForAll(known => known is not null) ? found[0]!.Because : null;
    }

    private static bool Is(AcceptedChange known, TrendChange change, TrendMember member, IReadOnlyList<SeriesLook> looks)
    {
        if (known.Series != member.Series || Math.Sign(known.Change) != Math.Sign(member.Change))
        {
            return false;
        }

        // The experiment's own session is none of the series: there the commits tell.
        var look = looks.FirstOrDefault(one => one.Hash == member.Series);
        return known.IsOf(member.Series, change.Before.Commit, change.After.Commit)
            || (look is not null && look.Points.Any(point => point.Session == known.After.Session)
                && Math.Abs(look.IndexOf(known.After) - look.IndexOf(change.After)) <= TrendLook.Tolerance);
    }
}
