using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>
/// A session of one arm: values and noise of single launches, nothing to compare with. The only words it can get are "failed" (no launch
/// gave a value), "unavailable" and "not-steady", because silence there would look like success.
/// </summary>
internal static class SingleArmRows
{
    public static IEnumerable<ComparedMetric> Of(Cell cell, CellLaunches launches)
    {
        var arm = cell.Arms[0].Id;
        var stage = launches.Has(arm, Stage.Confirm) ? Stage.Confirm : Stage.Screen;
        var measured = launches.Rounds(stage).Alone(arm);
        return [.. cell.Metrics.Select(metric => Row(new(cell, metric, launches.Of(arm)), stage, measured))];
    }

    private sealed record Subject(Cell Cell, Metric Metric, LaunchCounts Launches);

    private static ComparedMetric Row(Subject subject, Stage stage, IReadOnlyList<Launch> measured)
    {
        var (cell, metric, launches) = subject;
        var rest = metric.Primary ? PairRest.Of(cell, cell.Arms[0].Id, measured) : new([]);
        double[] values = [.. measured.Select(launch => LogRatios.Value(launch, metric)).OfType<double>()];
        double[] logs = [.. values.Where(value => value > 0).Select(value => Math.Round(Math.Log(value), 12))];
        return new()
        {
            Cell = cell.Id,
            Arm = cell.Arms[0].Id,
            Reference = null,
            Metric = metric.Name,
            Primary = metric.Primary,
            Unit = metric.Unit,
            ArmValue = values.Length > 0 ? Median.Of(values) : null,
            Rounds = measured.Count,
            Stage = launches.All > 0 ? stage : null,
            Noise = metric.Kind == MetricKind.Sampled && logs.Length == measured.Count && logs.Length <= LogRatios.MostRounds ? Noise.Of(logs) : null,
            Verdict = metric.Primary ? Word(cell, measured) ?? (rest.IsSteady ? null : Verdict.NotSteady) : null,
            WarmUpSeconds = NotSteadyNote.WarmUp(rest),
            Warnings = metric.Primary
                ? [.. Warnings(cell, launches), .. NotSteadyNote.Of(rest, cell), .. NotSteadyNote.OfCold(measured),
                    .. ClientBound.OfPrimary(cell.Arms[0].Id, measured)]
                : metric.Name == SteadyLaunches.Metric ? [.. SteadyWarnings.OfTime(cell.Arms[0].Id, measured)] : [],
        };
    }

    private static Verdict? Word(Cell cell, IReadOnlyList<Launch> measured) => cell.Unavailable is not null
        ? Verdict.Unavailable
        : measured.Count == 0 ? Verdict.Failed : null;

    private static IEnumerable<string> Warnings(Cell cell, LaunchCounts launches)
    {
        if (cell.Unavailable is { } missing)
        {
            yield return missing;
        }
        else if (launches.All == 0)
        {
            yield return cell.Arms[0].Build is null
                ? $"never launched: there is no build of {cell.Arms[0].Id}"
                : "never launched: the session ended before";
        }
        else
        {
            foreach (var warning in new[] { launches.Warning, launches.IndirectEvidence, launches.Throttled })
            {
                if (warning is not null)
                {
                    yield return warning;
                }
            }
        }
    }
}
