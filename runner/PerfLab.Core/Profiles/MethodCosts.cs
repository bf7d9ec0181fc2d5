namespace PerfLab.Core.Profiles;

/// <summary>What each method cost in one launch, for one unit of work.</summary>
internal sealed class MethodCosts
{
    private readonly Dictionary<string, (double Own, double All)> _costs = new(StringComparer.Ordinal);

    public MethodCosts(IEnumerable<StackWeight> stacks)
    {
        var seen = new HashSet<string>(StringComparer.Ordinal);
        foreach (var (frames, weight) in stacks)
        {
            Total += weight;
            seen.Clear();
            for (var index = frames.Count - 1; index >= 0; index--)
            {
                var isFirst = seen.Add(frames[index]); // a recursive method is on the stack often, and took the time once
                Add(frames[index], own: index == frames.Count - 1 ? weight : 0, all: isFirst ? weight : 0);
            }
        }
    }

    public double Total { get; }

    public IEnumerable<string> Methods => _costs.Keys;

    /// <summary>Of the method alone.</summary>
    public double Own(string method) => _costs.GetValueOrDefault(method).Own;

    /// <summary>Of the method and all that it called.</summary>
    public double All(string method) => _costs.GetValueOrDefault(method).All;

    private void Add(string method, double own, double all)
    {
        var (before, beforeAll) = _costs.GetValueOrDefault(method);
        _costs[method] = (before + own, beforeAll + all);
    }
}
