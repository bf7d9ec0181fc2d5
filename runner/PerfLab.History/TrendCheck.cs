using PerfLab.Core.Files;
using PerfLab.Core.Trends;

namespace PerfLab.History;

/// <summary>
/// What is known of the trend, held against the sessions. It may come from a branch that others can push to: a change that no session
/// shows is left out, one that is called confirmed has its experiment here, and names and figures are those of the history.
/// </summary>
internal sealed class TrendCheck(HistoryStore store, Func<string, SeriesName?> nameOf)
{
    /// <summary>A change that went through JSON and a logarithm.</summary>
    private const double Rounding = 1e-6;

    private readonly Dictionary<string, (long Number, SeriesName Name)?> _series = new(StringComparer.Ordinal);

    /// <param name="claimed">As it was kept.</param>
    /// <param name="problems">Gets a sentence for each kind of claim that is not borne out.</param>
    public TrendState Of(TrendState claimed, ICollection<string> problems)
    {
        var (missing, unproven) = (0, 0);
        var changes = new List<TrendChange>();
        foreach (var change in claimed.Changes)
        {
            if (Known(change) is not { } known)
            {
                missing++;
                continue;
            }

            var called = known.Status is ChangeStatus.Confirmed or ChangeStatus.Recovered;
            var found = known.Experiment is { } experiment ? Found(known, experiment) : null;
            unproven += called && found is null ? 1 : 0;
            changes.Add(known with
            {
                Experiment = found,
                Status = called && found is null ? ChangeStatus.Watched : known.Status,
                Confirm = known.Confirm is null ? null
                    : ConfirmLine.For(Series(known.Members[0].Series)!.Value.Name, known.Before.Commit, known.After.Commit),
            });
        }

        if (missing > 0)
        {
            problems.Add(Invariant($"changes of the trend that no session kept here shows: {missing}, left out"));
        }

        if (unproven > 0)
        {
            problems.Add(Invariant(
                $"changes of the trend that are called confirmed by an experiment that is not kept here: {unproven}, shown as watched"));
        }

        return claimed with { Changes = changes, Environment = [.. claimed.Environment.Where(IsMeasured)] };
    }

    /// <summary>With the members and the names that the history has; null when its two places are in none of them.</summary>
    private TrendChange? Known(TrendChange change)
    {
        var members = (from member in change.Members
                       let name = Series(member.Series)?.Name
                       where name is not null
                       select member with { Workload = name.Workload, Values = name.Values, Metric = name.Metric, Unit = name.Unit }).ToList();
        return members.Exists(member => IsMeasured(member.Series, change.Before))
            && members.Exists(member => IsMeasured(member.Series, change.After)) ? change with { Members = members } : null;
    }

    private bool IsMeasured(string series, TrendPlace place) => store.Database.Rows(
        "SELECT commit_name FROM points WHERE series = @series AND started = @started",
        row => row.GetValue(0) as string, ("series", Series(series)!.Value.Number), ("started", place.Started.ToUnixTimeMilliseconds()))
        .Contains(place.Commit, StringComparer.Ordinal);

    private bool IsMeasured(HostStep step) => store.Database.Rows(
        "SELECT s.number FROM sessions s JOIN machines m ON m.number = s.machine WHERE s.started = @started AND m.fingerprint = @machine",
        row => row.GetInt64(0), ("started", step.After.Started.ToUnixTimeMilliseconds()), ("machine", step.Machine)).Count > 0;

    /// <summary>The experiment with the figures of its session; null when that says something else.</summary>
    private Experiment? Found(TrendChange change, Experiment claimed) => change.Members.Select(member => store.Database.Rows(
        """
        SELECT t.change, t.low, t.high, t.rounds, t.verdict FROM points t JOIN sessions s ON s.number = t.session
        WHERE t.series = @series AND s.id = @id AND s.kind = @kind
        """,
        row => claimed.NothingDiffers
            ? row.GetValue(4) as string == Words.Of(claimed.Verdict!.Value) ? claimed with { Change = 0, Low = null, High = null, Rounds = 0 } : null
            : row.GetValue(0) is double change
            ? claimed with { Change = TrendReader.Fraction(change), Low = Number(row.GetValue(1)), High = Number(row.GetValue(2)), Rounds = row.GetInt32(3) }
            : null,
        ("series", Series(member.Series)!.Value.Number), ("id", claimed.Session), ("kind", nameof(SessionKind.Comparison)))
        .FirstOrDefault(found => found is { NothingDiffers: true }
            || (found is not null && Math.Abs(found.Change - claimed.Change) <= Rounding
                && Math.Sign(found.Change) == Math.Sign(change.Members[0].Change)))).FirstOrDefault(found => found is not null);

    private (long Number, SeriesName Name)? Series(string hash)
    {
        if (!_series.TryGetValue(hash, out var known))
        {
            var found = store.Database.Rows("SELECT number, name FROM series WHERE hash = @hash",
                row => (Number: row.GetInt64(0), Name: nameOf(row.GetString(1))), ("hash", hash));
            _series.Add(hash, known = found is [{ Name: { } name } one] ? (one.Number, name) : null);
        }

        return known;
    }

    private static double? Number(object value) => value is double log ? TrendReader.Fraction(log) : null;
}
