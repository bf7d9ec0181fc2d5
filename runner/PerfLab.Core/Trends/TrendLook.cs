using System.Security.Cryptography;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Trends;

/// <summary>What was measured of two commits: asked for by series, commit before and commit after.</summary>
public delegate Experiment? FindExperiment(string series, string before, string after);

/// <summary>
/// One look at all series, with what was known before. Pure: the same sessions and the same state give the same bytes, so a look that is
/// repeated, or late, or was interrupted, says what it would have said.
/// </summary>
public static class TrendLook
{
    /// <summary>Share of false ones among the changes that are sent to an experiment at their first look.</summary>
    public const double DiscoveryRate = 0.10;

    /// <summary>A change that is seen in so many looks goes to an experiment, however unclear.</summary>
    public const int LooksUntilDue = 2;

    /// <summary>Points by which the place of a known change may move when more sessions come in.</summary>
    public const int Tolerance = 2;

    /// <summary>Points by which several series may disagree about the place of one change.</summary>
    public const int ToleranceOfOthers = 1;

    /// <summary>
    /// Points by which the experiment goes beyond the place on both sides: of a step of twice the noise the place is off by one often
    /// enough, and the commits on one side of a change show none.
    /// </summary>
    public const int Widened = 1;

    /// <summary>Sessions of a machine without a value, after which a series counts as stopped.</summary>
    public const int StoppedAfter = 3;

    /// <summary>Levels closer than this are one: a change is taken back when its series returns within it.</summary>
    public const double RecoveredWithin = 0.01;

    /// <param name="all">Every series.</param>
    /// <param name="before">What the last look knew.</param>
    /// <param name="experiments">What was measured of two commits.</param>
    /// <param name="accepted">Changes that people know of: they are seen, and neither sent to an experiment nor called.</param>
    public static TrendState Look(
        IReadOnlyList<TrendSeries> all, TrendState? before, FindExperiment experiments, AcceptedChanges? accepted = null)
    {
        var series = all.Where(one => !one.Name.IsNextAnchor && one.Points.Count > 0).OrderBy(one => one.Name.Key, StringComparer.Ordinal)
            .ToList();
        var confirmed = (before?.Changes ?? []).Where(change => change.Status is ChangeStatus.Confirmed or ChangeStatus.Recovered)
            .SelectMany(change => change.Members.Select(member => (member.Series, Change: change)))
            .ToLookup(one => one.Series, one => one.Change, StringComparer.Ordinal);
        var looks = series.ConvertAll(one => SeriesLook.Of(one, confirmed));
        var newest = looks.SelectMany(look => look.Points.TakeLast(1)).OrderBy(point => point.Started)
            .ThenBy(point => point.Session, StringComparer.Ordinal).LastOrDefault();
        var sessions = series.SelectMany(one => one.Points).Select(point => point.Session).Distinct(StringComparer.Ordinal).Count();
        var isNew = newest is not null && newest.Session != before?.Newest?.Session;
        // Where nothing was measured since, the machine did nothing new either.
        var isRepeated = !isNew && before is not null && (before.Sessions, before.Series) == (sessions, looks.Count);
        var steps = isRepeated ? [.. before!.Environment] : series.GroupBy(one => (one.Name.Machine, one.Name.Executor))
            .SelectMany(host => HostSteps.Of([.. host], [.. (before?.Environment ?? []).Where(step => step.Machine == host.Key.Machine)]))
            .ToList();

        var changes = new ChangeTracker(before?.Changes ?? [], looks, isNew).Seen(newest?.Session ?? "");
        changes = changes.ConvertAll(change => Known(change, (accepted ?? AcceptedChanges.None).Reason(change, looks)));
        changes = Decide(changes, looks.Count);
        changes = changes.ConvertAll(change => Judge(change, steps, looks, experiments));
        changes = Recoveries.Mark(changes, looks);
        return new()
        {
            Series = looks.Count,
            Sessions = sessions,
            Newest = newest is null ? null : HostSteps.PlaceOf(newest),
            Changes = [.. changes.OrderBy(change => change.After.Started).ThenBy(change => change.Id, StringComparer.Ordinal)],
            Environment = steps,
            Stopped = [.. Stopped(looks)],
            Warnings = [.. looks.Where(look => look.Warning is not null)
                .Select(look => $"{look.Name.Workload}, {look.Name.Metric}: {look.Warning}").Distinct(StringComparer.Ordinal)],
            NextAnchor = NextAnchor.Of(series),
        };
    }

    private static TrendChange Known(TrendChange change, string? reason) => reason is null ? change with { Accepted = null } : change with
    {
        Accepted = reason,
        Status = change.Status == ChangeStatus.Due ? ChangeStatus.Watched : change.Status,
        Confirm = null,
    };

    /// <summary>Which watched changes are worth an experiment: clear ones at once, the others when they are still there in the next
    /// look.</summary>
    private static List<TrendChange> Decide(List<TrendChange> changes, int series)
    {
        var watched = changes.Where(change => change is { Status: ChangeStatus.Watched, Accepted: null }).ToList();
        var passed = BenjaminiHochberg.Pass([.. watched.Select(change => change.Members[0].PValue)], Math.Max(series, watched.Count),
            DiscoveryRate);
        var due = watched.Where((change, index) => passed[index] || change.Looks >= LooksUntilDue).Select(change => change.Id)
            .ToHashSet(StringComparer.Ordinal);
        return changes.ConvertAll(change => due.Contains(change.Id) ? change with { Status = ChangeStatus.Due } : change);
    }

    private static TrendChange Judge(TrendChange change, List<HostStep> steps, List<SeriesLook> looks, FindExperiment experiments)
    {
        if (change.Status != ChangeStatus.Due)
        {
            return change;
        }

        var (before, after) = (change.Before.Commit, change.After.Commit);
        if (before is not null && before == after)
        {
            // The same commit on both sides: no program changed.
            return change with { Status = ChangeStatus.Environment };
        }

        var measured = before is null || after is null ? null
            : change.Members.Select(member =>
                experiments(member.Series, before, after) is { } found ? found with { Series = member.Series } : null)
                .FirstOrDefault(found => found is not null);
        if (measured is null)
        {
            var name = looks.Find(look => look.Hash == change.Members[0].Series)?.Name;
            return change with { Confirm = name is null ? null : ConfirmLine.For(name, before, after) };
        }

        var sign = Math.Sign(change.Members[0].Change);
        var isConfirmed = measured.Verdict is Statistics.Stages.Verdict.Regressed or Statistics.Stages.Verdict.Improved
            && Math.Sign(measured.Change) == sign;
        var isOfTheHost = steps.Exists(step => step.Machine == change.Machine && Near(step, change, looks));
        return change with
        {
            Status = isConfirmed ? ChangeStatus.Confirmed
                : isOfTheHost || measured.NothingDiffers ? ChangeStatus.Environment : ChangeStatus.NotConfirmed,
            Experiment = measured,
            Confirm = null,
        };
    }

    private static bool Near(HostStep step, TrendChange change, List<SeriesLook> looks)
    {
        var look = looks.Find(one => one.Hash == change.Members[0].Series);
        return look is not null && Math.Abs(look.IndexOf(step.After) - look.IndexOf(change)) <= Tolerance;
    }

    private static IEnumerable<StoppedSeries> Stopped(List<SeriesLook> looks)
    {
        foreach (var host in looks.GroupBy(look => look.Host))
        {
            var sessions = host.SelectMany(look => look.Points).DistinctBy(point => point.Session, StringComparer.Ordinal)
                .OrderByDescending(point => point.Started).ThenByDescending(point => point.Session, StringComparer.Ordinal).ToList();
            var newest = sessions.Take(StoppedAfter).Select(point => point.Session).ToHashSet(StringComparer.Ordinal);
            foreach (var look in host.Where(look => newest.Count == StoppedAfter && !newest.Contains(look.Points[^1].Session)))
            {
                var missed = sessions.FindIndex(point => point.Session == look.Points[^1].Session);
                yield return new(look.Name.Workload, look.Name.Values, look.Name.Metric, look.Name.Machine, look.Name.Cpu,
                    HostSteps.PlaceOf(look.Points[^1]), missed);
            }
        }
    }

    /// <summary>The same for a change at the same place of the same machine.</summary>
    internal static string IdOf(SeriesLook look, string session, int sign) => Convert.ToHexStringLower(SHA256.HashData(
        Encoding.UTF8.GetBytes(Invariant($"{look.Name.Machine}\n{look.Name.Executor}\n{session}\n{sign}"))))[..12];
}
