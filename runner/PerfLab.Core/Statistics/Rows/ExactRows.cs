using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>Metrics of <c>kind: exact</c>: the same number every time, so they are compared for equality and not tested.</summary>
internal static class ExactRows
{
    public static ComparedMetric Of(ComparedMetric row, Metric metric, LogRatios values)
    {
        if (row.Rounds == 0)
        {
            return row;
        }

        if (values.Reference.Length < row.Rounds || values.Arm.Length < row.Rounds)
        {
            return row with { Warnings = [.. row.Warnings, $"{metric.Name} is missing in some launches: it can't be compared"] };
        }

        var varying = new[] { (row.Reference, values.Reference), (row.Arm, values.Arm) }
            .Where(arm => arm.Item2.Distinct().Skip(1).Any())
            .Select(arm => Invariant(
                $"{metric.Name} is declared exact, but arm {arm.Item1} gave {arm.Item2.Min()} to {arm.Item2.Max()} {metric.Unit}"));
        return row with
        {
            Change = Change(row.ReferenceValue!.Value, row.ArmValue!.Value, metric.Better),
            Equal = values.Reference.SequenceEqual(values.Arm),
            Warnings = [.. row.Warnings, .. varying],
        };
    }

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
