using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>
/// Metrics of <c>kind: exact</c>: mostly the same number in every launch of a build, so they are compared for equality and not tested.
/// Where launches of one build differ (a timer allocates now and then), what they did is the measure: values differ only when no launch
/// of one arm gave what a launch of the other gave, and their medians lie farther apart than launches of either build do.
/// </summary>
internal static class ExactRows
{
    public static ComparedMetric Of(ComparedMetric row, Metric metric, LogRatios values)
    {
        if (row.Rounds == 0)
        {
            return row;
        }

        // Not every launch of an imported report says what it allocated.
        var rounds = Math.Min(values.Reference.Length, values.Arm.Length);
        if (rounds == 0)
        {
            return row with { Warnings = [.. row.Warnings, $"{metric.Name} is missing in every launch of an arm: it can't be compared"] };
        }

        var varies = Math.Max(Spread(values.Reference), Spread(values.Arm));
        return row with
        {
            Change = Change(row.ReferenceValue!.Value, row.ArmValue!.Value, metric.Better),
            Equal = !Differ(values, varies, row.ArmValue.Value - row.ReferenceValue.Value),
            Varies = varies > 0 ? varies : null,
            Rounds = rounds,
        };
    }

    private static double Spread(double[] launches) => launches.Max() - launches.Min();

    private static bool Differ(LogRatios values, double varies, double difference) => Math.Abs(difference) > varies
        && (values.Reference.Max() < values.Arm.Min() || values.Arm.Max() < values.Reference.Min());

    /// <summary>Change of the medians, + is worse; null where it has no ratio.</summary>
    private static double? Change(double reference, double arm, Better better)
    {
        var (from, to) = better == Better.Lower ? (reference, arm) : (arm, reference);
        if (reference.Equals(arm))
        {
            return 0;
        }

        return from > 0 && to >= 0 && (to / from) - 1 is var change && double.IsFinite(change) ? change : null;
    }
}
