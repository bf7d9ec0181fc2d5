using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Trends;

/// <summary>
/// Known changes, and what a look sees of them: a series' change joins a known one near its place, or begins a new one. One that is not
/// clear joins none: it would keep open for years what it has nothing to do with.
/// </summary>
internal sealed class ChangeTracker(IReadOnlyList<TrendChange> known, List<SeriesLook> looks, bool isNew)
{
    private readonly Dictionary<string, TrendChange> _changes = known.ToDictionary(change => change.Id, StringComparer.Ordinal);
    private readonly Dictionary<string, List<TrendMember>> _seen = new(StringComparer.Ordinal);
    private readonly HashSet<(string Series, int Place)> _clear = Clear(looks);

    /// <summary>All changes after this look: what is not confirmed and not seen any more is gone.</summary>
    public List<TrendChange> Seen(string newest)
    {
        // The clearest first: so it is they who begin a change, and the others who join it or not.
        foreach (var (look, change) in looks.SelectMany(look => look.Changes.Select(change => (look, change)))
            .OrderBy(one => one.change.PValue))
        {
            See(look, change, newest);
        }

        return [.. _changes.Values.Where(change => _seen.ContainsKey(change.Id) || !IsOpen(change)).Select(Updated)];
    }

    /// <summary>Places that pass Benjamini and Hochberg's rule over all series that were looked at.</summary>
    private static HashSet<(string Series, int Place)> Clear(List<SeriesLook> looks)
    {
        var seen = looks.SelectMany(look => look.Changes.Where(change => !look.IsConfirmed(change))
            .Select(change => (look.Hash, Change: change))).ToList();
        var passed = BenjaminiHochberg.Pass([.. seen.Select(one => one.Change.PValue)], Math.Max(looks.Count, seen.Count),
            TrendLook.DiscoveryRate);
        return [.. seen.Where((_, index) => passed[index]).Select(one => (one.Hash, one.Change.Index))];
    }

    /// <summary>What an experiment refuted says nothing about other series.</summary>
    private static bool MayGrow(TrendChange change) => IsOpen(change) || change.Status == ChangeStatus.Confirmed;

    private static bool IsOpen(TrendChange change) => change.Status is ChangeStatus.Watched or ChangeStatus.Due;

    private void See(SeriesLook look, ChangePoint change, string newest)
    {
        var sign = Math.Sign(change.Size);
        if (sign == 0 || look.IsConfirmed(change))
        {
            return;
        }

        var session = look.Points[change.Index].Session;
        var joins = _clear.Contains((look.Hash, change.Index));
        var id = Known(look, change.Index, sign, joins) ?? TrendLook.IdOf(look, session, sign);
        if (_changes.TryGetValue(id, out var other) && !(joins && MayGrow(other))
            && other.Members.All(member => member.Series != look.Hash))
        {
            id = TrendLook.IdOf(look, session + look.Hash, sign);
        }

        _changes.TryAdd(id, new()
        {
            Id = id,
            Status = ChangeStatus.Watched,
            Machine = look.Name.Machine,
            Cpu = look.Name.Cpu,
            Executor = look.Name.Executor,
            Before = HostSteps.PlaceOf(look.Points[Math.Max(0, change.Index - 1 - TrendLook.Widened)]),
            After = HostSteps.PlaceOf(look.Points[Math.Min(look.Points.Count - 1, change.Index + TrendLook.Widened)]),
            Found = newest,
            Looks = 1,
            Members = [],
        });
        if (!_seen.TryGetValue(id, out var members))
        {
            _seen.Add(id, members = []);
        }

        members.Add(new()
        {
            Workload = look.Name.Workload,
            Values = look.Name.Values,
            Metric = look.Name.Metric,
            Unit = look.Name.Unit,
            Change = Math.Exp(change.Size) - 1,
            PValue = change.PValue,
            Series = look.Hash,
        });
    }

    /// <summary>
    /// A change of the same direction and machine, known before or seen in another series just now, of which this one is likely a part.
    /// In a series that is a member already, the place may have moved as points came in.
    /// </summary>
    private string? Known(SeriesLook look, int index, int sign, bool joins) => _changes.Values
        .Where(change => change.Machine == look.Name.Machine && change.Executor == look.Name.Executor
            && Math.Sign(Members(change)[0].Change) == sign)
        .Select(change => (
            change.Id, MayGrow: MayGrow(change), Distance: Math.Abs(look.IndexOf(change) - index), IsMember: Members(change)
                .Any(member => member.Series == look.Hash)))
        .Where(near => near.IsMember ? near.Distance <= TrendLook.Tolerance
            : joins && near.MayGrow && near.Distance <= TrendLook.ToleranceOfOthers)
        .OrderByDescending(near => near.IsMember).ThenBy(near => near.Distance).ThenBy(near => near.Id, StringComparer.Ordinal)
        .Select(near => near.Id).FirstOrDefault();

    private IReadOnlyList<TrendMember> Members(TrendChange change) => change.Members.Count > 0 ? change.Members : _seen[change.Id];

    /// <summary>What was seen now; members that are not seen any more stay with what was decided about them.</summary>
    private TrendChange Updated(TrendChange change)
    {
        var seen = _seen.GetValueOrDefault(change.Id) ?? [];
        var before = change.Members.Where(member => !IsOpen(change) && seen.TrueForAll(now => now.Series != member.Series));
        var isKnown = change.Members.Count > 0;
        return change with
        {
            Members = [.. seen.Concat(before).OrderBy(member => member.PValue).ThenByDescending(member => Math.Abs(member.Change))
                .ThenBy(member => member.Series, StringComparer.Ordinal)],
            Looks = change.Looks + (isKnown && isNew && seen.Count > 0 ? 1 : 0),
        };
    }
}
