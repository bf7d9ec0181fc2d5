using PerfLab.Core.Model;
using PerfLab.Reports.Text;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Reports.Curves;

/// <summary>
/// The curves that a session holds: the primary metric of every workload with a sweep, and its time-to-steady. Both ways of asking give the
/// same curve: `--vary clients=1,5,10 --pgo off,on` (the points are paired with the first) and `--base pgo=off --head pgo=on --set
/// clients=1,5,10` (the lines are paired at every point).
/// </summary>
public static class SessionCurves
{
    public static IReadOnlyList<Curve> Of(SampleSet measured, Comparison comparison)
    {
        if (!measured.Header.Cells.Where(cell => cell.Unavailable is null).GroupBy(Group).Any(cells => Sweep.Of([.. cells.SelectMany(SweepPoint.Of)]) is not null))
        {
            return [];
        }

        var samples = SteadyLaunches.Judged(measured);
        var launches = CellLaunches.ByCell(samples);
        var rows = comparison.Cells.ToLookup(row => (row.Cell, row.Arm, row.Metric));
        var curves = new List<Curve>();
        foreach (var cells in samples.Header.Cells.Where(cell => cell.Unavailable is null).GroupBy(Group))
        {
            SweepPoint[] points = [.. cells.SelectMany(SweepPoint.Of)];
            if (Sweep.Of(points) is not { } sweep)
            {
                continue;
            }

            var metrics = cells.First().Metrics.Where(metric => metric.Primary || (metric.Name == SteadyLaunches.Metric && cells.All(cell => cell.Metrics.Contains(metric))));
            curves.AddRange(metrics.Select(metric => Make(sweep, points, metric, comparison.Policy.Interval, point => Point(
                point, sweep.Dimension, metric, launches[point.Cell.Id], rows[(point.Cell.Id, point.Arm.Id, metric.Name)].FirstOrDefault(), comparison.Policy.Interval))));
        }

        return Named(curves);
    }

    /// <summary>Cells whose values can lie on one axis.</summary>
    private static (string Workload, string Metric, string Unit) Group(Cell cell) => (cell.Workload, cell.PrimaryMetric.Name, cell.PrimaryMetric.Unit);

    private static Curve Make(Sweep sweep, SweepPoint[] points, Metric metric, double coverage, Func<SweepPoint, CurvePoint> toPoint) => new()
    {
        Name = "",
        Workload = points[0].Cell.Workload,
        Metric = metric,
        Dimension = sweep.Dimension,
        IsNumeric = sweep.IsNumeric,
        Reference = Reference(points),
        Fixed = sweep.Fixed,
        Coverage = coverage,
        Series = [.. points.GroupBy(SeriesName(sweep, points), StringComparer.Ordinal)
            .Select(series => new CurveSeries(series.Key, InOrder(sweep, series.Select(toPoint))))],
    };

    /// <summary>By the values that set the lines apart; by arm, too, where these do not (base against base; a dimension that one arm has not).</summary>
    private static Func<SweepPoint, string> SeriesName(Sweep sweep, SweepPoint[] points)
    {
        var isClear = points.DistinctBy(point => (point.Label(sweep.Others), point.Values[sweep.Dimension])).Count() == points.Length;
        return isClear ? point => point.Label(sweep.Others)
            : point => string.Join(", ", new[] { point.Label(sweep.Others), point.Arm.Id }.Where(part => part.Length > 0));
    }

    private static List<CurvePoint> InOrder(Sweep sweep, IEnumerable<CurvePoint> points) =>
        sweep.IsNumeric ? [.. points.OrderBy(point => point.Number)] : [.. points];

    private static CurvePoint Point(SweepPoint point, string dimension, Metric metric, CellLaunches launches, ComparedMetric? compared, double coverage)
    {
        var counted = launches.Rounds(DecidingStage(point, launches)).Alone(point.Arm.Id);
        double[] values = [.. counted.Select(launch => LogRatios.Value(launch, metric)).OfType<double>()];
        var interval = MedianInterval.Of(values, coverage);
        return new()
        {
            X = point.Values[dimension],
            Number = SweepPoint.Number(point.Values[dimension]),
            Cell = point.Cell.Id,
            Arm = point.Arm.Id,
            Value = values.Length > 0 ? Median.Of(values) : null,
            Low = interval?.Low,
            High = interval?.High,
            Launches = values.Length,
            IsReference = point.Cell.Arms.Count > 1 && point.Arm.Id == point.Cell.Reference.Id,
            Compared = compared is { Reference: not null } ? compared : null,
        };
    }

    /// <summary>The stage whose rounds give the figures of this arm; the reference takes part in every stage that any arm reached.</summary>
    private static Stage DecidingStage(SweepPoint point, CellLaunches launches) =>
        launches.Has(point.Arm.Id, Stage.Confirm) ? Stage.Confirm : Stage.Screen;

    private static string? Reference(SweepPoint[] points)
    {
        var names = points.Where(point => point.Cell.Arms.Count > 1).Select(point => ArmName.Of(point.Cell, point.Cell.Reference))
            .Distinct(StringComparer.Ordinal).Take(2).ToList();
        return names is [{ Length: > 0 } single] ? single : null;
    }

    private static IReadOnlyList<Curve> Named(List<Curve> curves)
    {
        var taken = new HashSet<string>(StringComparer.Ordinal);
        return [.. curves.Select(curve =>
        {
            var name = PictureName.Of("curve", curve.Workload, curve.Metric.Name);
            for (var number = 2; !taken.Add(name); number++)
            {
                name = PictureName.Of("curve", curve.Workload, curve.Metric.Name, number.ToString(System.Globalization.CultureInfo.InvariantCulture));
            }

            return curve with { Name = name };
        })];
    }
}
