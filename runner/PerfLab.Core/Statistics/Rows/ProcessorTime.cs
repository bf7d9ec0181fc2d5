using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>
/// Makes processor time per unit of work a metric of the cells whose launches all tell it. Load beside a launch takes cores away and
/// lengthens the wall clock; what the work itself costs the processor it changes far less. It has no verdict.
/// </summary>
public static class ProcessorTime
{
    public const string Metric = "cpu-per-unit";

    /// <summary>Where less than this share of a launch's processor time was the program's own, other processes did some of it.</summary>
    public const double LeastOwnShare = 0.8;

    private static readonly Metric PerUnit = new(Metric, "s", Better.Lower);

    public static SampleSet Added(SampleSet samples)
    {
        var byCell = samples.Launches.Where(launch => launch.Outcome == Outcome.Measured)
            .ToLookup(launch => launch.Cell, StringComparer.Ordinal);
        var known = samples.Header.Cells
            .Where(cell => cell.Metrics.All(metric => metric.Name != Metric)
                && byCell[cell.Id].Any() && byCell[cell.Id].All(launch => Of(launch) is not null))
            .Select(cell => cell.Id).ToHashSet(StringComparer.Ordinal);
        return known.Count == 0 ? samples : samples with
        {
            Header = samples.Header with
            {
                Cells = [.. samples.Header.Cells.Select(cell =>
                    known.Contains(cell.Id) ? cell with { Metrics = [.. cell.Metrics, PerUnit] } : cell)],
            },
            Launches = [.. samples.Launches.Select(launch =>
                known.Contains(launch.Cell) && launch.Outcome == Outcome.Measured ? WithMetric(launch, Of(launch)!.Value) : launch)],
        };
    }

    /// <summary>
    /// Seconds of processor time for one unit of work, in the measured part. Null when the launch does not tell, or when what it tells
    /// can't be all: another process did part of the work, or the lab saw less from outside. Null of a benchmark of BenchmarkDotNet too:
    /// what its launch tells is of BenchmarkDotNet's own work and of all iterations, as if they were one operation.
    /// </summary>
    public static double? Of(Launch launch)
    {
        var evidence = launch.Evidence;
        if (evidence["benchmarkDotNet"] is not null || evidence["whileMeasuring"] is not JsonObject measured
            || JsonNumber.Of(measured["processorSeconds"]) is not (> 0 and var seconds) || Units(evidence) is not { } units)
        {
            return null;
        }

        var outside = evidence["outside"] is JsonObject seen ? JsonNumber.Of(seen["cpuSeconds"]) : null;
        var isAll = outside is not { } all || (seconds <= all && !(JsonNumber.Of(evidence["processorSeconds"]) < LeastOwnShare * all));
        return isAll ? seconds / units : null;
    }

    /// <summary>Units of work that a launch says it did while it measured; null when it does not say.</summary>
    public static double? Units(JsonObject evidence) =>
        evidence["whileMeasuring"] is JsonObject measured && JsonNumber.Of(measured["units"]) is > 0 and var units ? units : null;

    private static Launch WithMetric(Launch launch, double value) =>
        launch with { Metrics = new Dictionary<string, double>(launch.Metrics, StringComparer.Ordinal) { [Metric] = value } };
}
