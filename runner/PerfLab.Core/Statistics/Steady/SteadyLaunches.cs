using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Steady;

/// <summary>
/// Judges every launch of a session by its windows, and makes time-to-steady a metric of the cells whose launches all kept some. It has no
/// verdict: like every metric that is not primary it gets its change and interval.
/// </summary>
public static class SteadyLaunches
{
    public const string Metric = "time-to-steady";

    private static readonly Metric TimeToSteady = new(Metric, "s", Better.Lower);

    public static SampleSet Judged(SampleSet samples)
    {
        var launches = samples.Launches.Select(Judge).ToArray();
        var byCell = launches.Where(launch => launch.Outcome == Outcome.Measured).ToLookup(launch => launch.Cell, StringComparer.Ordinal);
        var known = samples.Header.Cells.Where(cell => IsKnown(cell, byCell[cell.Id])).Select(cell => cell.Id).ToHashSet(StringComparer.Ordinal);
        return known.Count == 0 ? samples with { Launches = launches } : samples with
        {
            Header = samples.Header with
            {
                Cells = [.. samples.Header.Cells.Select(cell => known.Contains(cell.Id) ? cell with { Metrics = [.. cell.Metrics, TimeToSteady] } : cell)],
            },
            Launches = [.. launches.Select(launch => known.Contains(launch.Cell) && launch.Outcome == Outcome.Measured ? WithMetric(launch) : launch)],
        };
    }

    private static Launch Judge(Launch launch) => launch.Outcome != Outcome.Measured ? launch : launch with
    {
        Steady = WindowSeries.From(launch.Evidence) is { } series ? SteadyRule.Judge(Watched(launch, series)) : null,
    };

    /// <summary>In turns its warm-up alone: a slice comes after a pause in which another used the caches; its level is its own.</summary>
    private static WindowSeries Watched(Launch launch, WindowSeries series) => launch.Turns is null ? series : series.UntilMeasured();

    private static bool IsKnown(Cell cell, IEnumerable<Launch> measured) =>
        cell.Metrics.All(metric => metric.Name != Metric)
        && measured.Any() && measured.All(launch => launch.Steady is { Kind: not SteadyKind.Unknown });

    /// <summary>A launch that never got there counts as long as it was watched: its true time is longer, which warnings say.</summary>
    private static Launch WithMetric(Launch launch) => launch with
    {
        Metrics = new Dictionary<string, double>(launch.Metrics, StringComparer.Ordinal) { [Metric] = launch.Steady!.Seconds ?? launch.Steady.Watched },
    };
}
