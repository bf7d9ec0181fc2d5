using PerfLab.Core.Trends;

namespace PerfLab.Reports.Site;

/// <summary>
/// Short names of series in lists: runtime and PGO always, of the rest only what tells the series of a workload apart; where even that is
/// the same for two, where they ran. The page of a series has its whole name.
/// </summary>
internal sealed class SiteLabels
{
    private static readonly string[] Always = ["runtime", "pgo"];

    private readonly Dictionary<string, string> _labels = new(StringComparer.Ordinal);

    public SiteLabels(IEnumerable<SeriesLine> lines)
    {
        foreach (var workload in lines.GroupBy(line => line.Name.Workload, StringComparer.Ordinal).Select(workload => workload.ToList()))
        {
            var (values, against) = (Telling(workload, line => line.Name.Values), Telling(workload, line => line.Name.Against));
            foreach (var alike in workload.GroupBy(line => Short(line.Name, values, against), StringComparer.Ordinal))
            {
                var place = Places.FirstOrDefault(place =>
                    alike.DistinctBy(line => place(line.Name), StringComparer.Ordinal).Count() == alike.Count());
                foreach (var line in alike)
                {
                    _labels[line.Hash] = alike.Count() == 1 ? alike.Key : $"{alike.Key}; {(place ?? Places[^1])(line.Name)}";
                }
            }
        }
    }

    /// <summary>Untrusted.</summary>
    public string Of(string hash) => _labels.GetValueOrDefault(hash) is { Length: > 0 } label ? label : "the only one";

    /// <summary>What a name says of where it ran, the shortest first; the last tells any two apart.</summary>
    private static readonly Func<SeriesName, string>[] Places =
    [
        name => name.Metric, name => name.Executor, name => name.Cpu, name => $"{name.Executor} on {name.Cpu} ({name.Machine})",
        name => $"{name.Metric} in {name.Unit}, {name.Executor} on {name.Cpu} ({name.Machine})",
    ];

    private static string Short(SeriesName name, HashSet<string> values, HashSet<string> against) => SiteNames.Label(name with
    {
        Values = name.Values.Where(pair => values.Contains(pair.Key) || Always.Contains(pair.Key, StringComparer.Ordinal))
            .ToDictionary(StringComparer.Ordinal),
        Against = name.Against.Where(pair => against.Contains(pair.Key)).ToDictionary(StringComparer.Ordinal),
    });

    /// <summary>Keys that some series have and others have not, or with another value.</summary>
    private static HashSet<string> Telling(List<SeriesLine> lines, Func<SeriesLine, IReadOnlyDictionary<string, string>> of) =>
    [
        .. lines.SelectMany(of).GroupBy(pair => pair.Key, StringComparer.Ordinal)
            .Where(values => values.Count() < lines.Count || values.DistinctBy(pair => pair.Value, StringComparer.Ordinal).Skip(1).Any())
            .Select(values => values.Key),
    ];
}
