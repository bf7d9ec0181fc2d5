namespace PerfLab.Core.Evidence;

/// <summary>Adds compilations up, one by one, in memory that a hostile trace can't blow up.</summary>
public sealed class JitTally
{
    /// <summary>Methods by name are kept for this many; the totals count all.</summary>
    public const int MostMethods = 200_000;

    private readonly Dictionary<JitTrigger, JitTotals> _triggers = [];
    private readonly Dictionary<JitTier, JitTotals> _tiers = [];
    private readonly Dictionary<string, (JitTotals Totals, List<JitTier> Tiers)> _methods = new(StringComparer.Ordinal);
    private JitTotals _total = JitTotals.None;

    public void Add(JitCompilation one)
    {
        _total = _total.Add(one);
        _triggers[one.Trigger] = _triggers.GetValueOrDefault(one.Trigger, JitTotals.None).Add(one);
        _tiers[one.Tier] = _tiers.GetValueOrDefault(one.Tier, JitTotals.None).Add(one);
        if (_methods.TryGetValue(one.Method, out var known) || _methods.Count < MostMethods)
        {
            var (totals, tiers) = known.Tiers is null ? (JitTotals.None, []) : known;
            tiers.Add(one.Tier);
            _methods[one.Method] = (totals.Add(one), tiers);
        }
    }

    public JitStatistics Statistics(int topMethods = 10) => new()
    {
        Total = _total,
        ByTrigger = new SortedDictionary<JitTrigger, JitTotals>(_triggers),
        ByTier = new SortedDictionary<JitTier, JitTotals>(_tiers),
        TopMethods = [.. _methods
            .OrderByDescending(method => method.Value.Totals.Milliseconds).ThenBy(method => method.Key, StringComparer.Ordinal)
            .Take(topMethods).Select(method => new JitMethod(method.Key, method.Value.Totals, method.Value.Tiers))],
    };
}
