namespace PerfLab.Core.Evidence;

/// <summary>Adds compilations up, one by one, in memory that a hostile trace can't blow up.</summary>
public sealed class JitTally
{
    /// <summary>Methods by name are kept up to this many and with this many characters; the totals count all.</summary>
    public const int MostMethods = 200_000, MostCharacters = 32 << 20;

    /// <summary>Tiers of one method that are kept, in the order of compiling.</summary>
    public const int MostTiers = 100;

    private readonly Dictionary<JitTrigger, JitTotals> _triggers = [];
    private readonly Dictionary<JitTier, JitTotals> _tiers = [];
    private readonly Dictionary<string, (JitTotals Totals, List<JitTier> Tiers)> _methods = new(StringComparer.Ordinal);
    private JitTotals _total = JitTotals.None;
    private int _characters;

    public void Add(JitCompilation one)
    {
        _total = _total.Add(one);
        _triggers[one.Trigger] = _triggers.GetValueOrDefault(one.Trigger, JitTotals.None).Add(one);
        _tiers[one.Tier] = _tiers.GetValueOrDefault(one.Tier, JitTotals.None).Add(one);
        if (Known(one.Method) is var (totals, tiers))
        {
            if (tiers.Count < MostTiers)
            {
                tiers.Add(one.Tier);
            }

            _methods[one.Method] = (totals.Add(one), tiers);
        }
    }

    /// <summary>What is known of a method so far; null when there is no room for another.</summary>
    private (JitTotals Totals, List<JitTier> Tiers)? Known(string method)
    {
        if (_methods.TryGetValue(method, out var known))
        {
            return known;
        }

        if (_methods.Count >= MostMethods || method.Length > MostCharacters - _characters)
        {
            return null;
        }

        _characters += method.Length;
        return (JitTotals.None, []);
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
