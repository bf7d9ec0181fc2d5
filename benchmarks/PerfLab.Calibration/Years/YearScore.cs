using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Trends;

namespace PerfLab.Calibration.Years;

/// <summary>Holds what was found against what was put in.</summary>
internal sealed class YearScore(
    YearSettings settings, List<KnownChange> known, TrendState last, Dictionary<string, int> confirmed, int?[] called,
        IReadOnlyList<Experiment> experiments,
    Dictionary<string, int> byHash)
{
    public YearResult Result()
    {
        var issues = last.Changes.Where(change => confirmed.ContainsKey(change.Id)).ToList();
        var outcomes = known.Select((change, index) =>
            new KnownOutcome(change, FoundAfter(change, index, issues), CalledRecovered(change, issues), IsTold(change, issues))).ToList();
        return new(
            settings, outcomes,
            issues.Count(issue => !known.Exists(change => change.Machine is null && Explains(change, issue))),
            issues.Count(issue => known.Exists(change => change.Machine is not null && Touches(change, issue))
                && !known.Exists(change => change.Machine is null && Explains(change, issue))),
            issues.Count(issue => issue.Status == ChangeStatus.Recovered && known.Exists(change => change.Machine is null
                && Explains(change, issue) && NotMended(change).Any(series => IsIn(issue, series)))),
            StillSlow(issues).Count(),
            StillSlow(issues).Count(one => issues.Exists(issue => issue.Status == ChangeStatus.Confirmed && Explains(one.Change, issue)
                && IsIn(issue, one.Series))),
            experiments.Count,
            experiments.Count(experiment => experiment.Verdict is not (Verdict.Regressed or Verdict.Improved)),
            last);
    }

    private int? FoundAfter(KnownChange change, int index, List<TrendChange> issues)
    {
        if (change.Machine is not null)
        {
            return called[index];
        }

        var found = issues.Where(issue => Explains(change, issue)).Select(issue => confirmed[issue.Id] - change.Session).ToList();
        return found.Count == 0 ? null : found.Min();
    }

    private bool IsTold(KnownChange change, List<TrendChange> issues) => issues.Exists(issue => issue.Status == ChangeStatus.Confirmed
        && issue.Members.Any(member => Math.Sign(member.Change) == Math.Sign(change.Size)
            && change.Series.Contains(byHash[member.Series])));

    private IEnumerable<(KnownChange Change, int Series)> StillSlow(List<TrendChange> issues) =>
        known.Where(change => change is { Machine: null, TakesBack: null, Size: > 0 } && issues.Exists(issue => Explains(change, issue)))
            .SelectMany(change => NotMended(change).Select(series => (change, series)));

    private IEnumerable<int> NotMended(KnownChange change) => change.Series.Except(known
        .Where(fix => fix.TakesBack is { } earlier && known[earlier] == change).SelectMany(fix => fix.Series));

    private bool IsIn(TrendChange issue, int series) => issue.Members.Any(member => byHash[member.Series] == series);

    private bool CalledRecovered(KnownChange change, List<TrendChange> issues) =>
        change.TakesBack is { } earlier
            && issues.Exists(issue => issue.Status == ChangeStatus.Recovered && Explains(known[earlier], issue));

    /// <summary>Whether a commit is why an issue was filed: in its range, in one of its series, in its direction.</summary>
    private bool Explains(KnownChange change, TrendChange issue) => Touches(change, issue)
        && Math.Sign(change.Size) == Math.Sign(issue.Members[0].Change);

    private bool Touches(KnownChange change, TrendChange issue) =>
        change.Session > YearPlan.SessionOf(issue.Before.Session) && change.Session <= YearPlan.SessionOf(issue.After.Session)
        && issue.Members.Any(member => change.Series.Contains(byHash[member.Series]));
}
