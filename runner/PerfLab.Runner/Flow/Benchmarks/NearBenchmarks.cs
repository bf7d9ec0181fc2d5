using PerfLab.Core.Files;

namespace PerfLab.Runner.Flow.Benchmarks;

/// <summary>Which benchmark of the other side was meant: mostly the same one, that got a parameter or lost it.</summary>
/// <param name="names">Of the other side.</param>
internal sealed class NearBenchmarks(IEnumerable<string> names)
{
    /// <summary>Beyond these, looking for typing errors takes longer than reading the lists.</summary>
    private const int MostCompared = 100, LongestCompared = 200, MostNamed = 3;

    private readonly ILookup<string, string> _byStem = names.ToLookup(Stem, StringComparer.OrdinalIgnoreCase);

    /// <summary>"; the nearest there: My.Parsing.Numbers(count: 10)", or nothing.</summary>
    public string Hint(string name)
    {
        IReadOnlyList<string> near = [.. _byStem[Stem(name)]];
        if (near.Count == 0 && _byStem.Count <= MostCompared && name.Length <= LongestCompared)
        {
            near = NearestNames.Near(name, _byStem.SelectMany(stem => stem).Where(one => one.Length <= LongestCompared).Take(MostCompared));
        }

        var more = near.Count > MostNamed ? ", …" : "";
        return near.Count == 0 ? "" : $"; the nearest there: {string.Join(" or ", near.Take(MostNamed))}{more}";
    }

    /// <summary>The name without its parameters.</summary>
    private static string Stem(string name) => name.IndexOf('(') is > 0 and var bracket ? name[..bracket] : name;
}
