using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Trends.Simulated;

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
            new KnownOutcome(change, FoundAfter(change, index, issues), CalledRecovered(change, issues))).ToList();
        return new(
            settings, outcomes,
            issues.Count(issue => !known.Exists(change => change.Machine is null && Explains(change, issue))),
            issues.Count(issue => known.Exists(change => change.Machine is not null && Touches(change, issue))
                && !known.Exists(change => change.Machine is null && Explains(change, issue))),
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
