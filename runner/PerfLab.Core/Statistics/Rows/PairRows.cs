using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>The rows of one (cell, arm) pair: one for each metric of the cell, in the cell's order.</summary>
internal static class PairRows
{
    public static IEnumerable<ComparedMetric> Of(PairEvidence pair, Family family) =>
        [.. pair.Cell.Metrics.Select(metric => Row(pair, metric, family))];

    private static ComparedMetric Row(PairEvidence pair, Metric metric, Family family)
    {
        var blank = Blank(pair, metric);
        if (pair.NotMeasured is { } verdict)
        {
            return blank with
            {
                Verdict = metric.Primary ? verdict : null,
                Warnings = metric.Primary && pair.Cell.Unavailable is { } missing ? [missing] : [],
            };
        }

        var ratios = LogRatios.Of(pair.Deciding, metric);
        var measured = blank with
        {
            ReferenceValue = ratios.Reference.Length > 0 ? Median.Of(ratios.Reference) : null,
            ArmValue = ratios.Arm.Length > 0 ? Median.Of(ratios.Arm) : null,
            Rounds = pair.Deciding.Count,
            Stage = pair.ArmLaunches.All > 0 ? pair.Stage : null,
            Warnings = [.. Warnings(pair, metric, family)],
        };
        if (metric.Kind == MetricKind.Exact)
        {
            return ExactRows.Of(measured, metric, ratios) with { Verdict = metric.Primary && measured.Rounds == 0 ? Verdict.Failed : null };
        }

        var compared = WithFigures(measured, ratios, family.Policy);
        return metric.Primary ? PrimaryRow.Judge(compared, pair, metric, family) : compared;
    }

    private static IEnumerable<string> Warnings(PairEvidence pair, Metric metric, Family family)
    {
        var (reference, arm) = (pair.Deciding.Select(round => round.Reference).ToList(), pair.Deciding.Select(round => round.Arm).ToList());
        if (metric.Primary)
        {
            return [.. PairWarnings.Of(pair, family.Policy), .. SteadyWarnings.OfPrimary(pair.Cell.Reference.Id, reference), .. SteadyWarnings.OfPrimary(pair.Arm.Id, arm)];
        }

        return metric.Name == SteadyLaunches.Metric
            ? SteadyWarnings.OfTime(pair.Cell.Reference.Id, reference).Concat(SteadyWarnings.OfTime(pair.Arm.Id, arm))
            : [];
    }

    private static ComparedMetric Blank(PairEvidence pair, Metric metric) => new()
    {
        Cell = pair.Cell.Id,
        Arm = pair.Arm.Id,
        Reference = pair.Cell.Reference.Id,
        Metric = metric.Name,
        Primary = metric.Primary,
        Unit = metric.Unit,
        Rounds = 0,
    };

    private static ComparedMetric WithFigures(ComparedMetric row, LogRatios ratios, Policy policy)
    {
        if (ratios.Problem is { } problem)
        {
            return row with { Warnings = [.. row.Warnings, problem] };
        }

        if (ratios.Differences.Length == 0)
        {
            return ratios.IsAllZero ? row with { Change = 0 } : row;
        }

        var walsh = new WalshAverages(ratios.Differences);
        var interval = walsh.Interval(policy.Interval);
        return row with
        {
            Change = Fraction(walsh.Centre),
            Low = interval is { } low ? Fraction(low.Low) : null,
            High = interval is { } high ? Fraction(high.High) : null,
            Noise = Noise.Of(ratios.Differences),
        };
    }

    /// <summary>From log units to a fraction; a ratio beyond the largest double has none.</summary>
    private static double? Fraction(double log) => Math.Exp(log) - 1 is var fraction && double.IsFinite(fraction) ? fraction : null;
}
