using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Trends;

/// <summary>One row of a comparison with the values of the rounds that it counted: what is kept of a session for later.</summary>
/// <param name="Cell">As the session measured it.</param>
/// <param name="Arm">The arm that the row is about.</param>
/// <param name="Row">The comparison's row.</param>
/// <param name="Metric">Its metric.</param>
/// <param name="ReferenceValues">Of the reference arm, in the metric's unit, in the order of the rounds; empty in a session of one
/// arm.</param>
/// <param name="ArmValues">Of the arm, in the same order.</param>
public sealed record SessionPoint(
    Cell Cell, Arm Arm, ComparedMetric Row, Metric Metric, IReadOnlyList<double> ReferenceValues, IReadOnlyList<double> ArmValues)
{
    /// <summary>ln(1 + change): + is worse. Null where the row has no change.</summary>
    public double? LogChange => Log(Row.Change);

    /// <summary>ln(1 + low).</summary>
    public double? LogLow => Log(Row.Low);

    /// <summary>ln(1 + high).</summary>
    public double? LogHigh => Log(Row.High);

    private static double? Log(double? change) => change is > -1 and { } known && double.IsFinite(known) ? Math.Log(1 + known) : null;
}

/// <summary>From a session and its comparison to its points.</summary>
public static class SessionPoints
{
    public static IReadOnlyList<SessionPoint> Of(SampleSet measured, Comparison comparison)
    {
        var samples = ProcessorTime.Added(SteadyLaunches.Judged(measured));
        var byCell = CellLaunches.ByCell(samples);
        var cells = samples.Header.Cells.ToDictionary(cell => cell.Id, StringComparer.Ordinal);
        var pairs = new Dictionary<(string, string), PairEvidence>();
        var points = new List<SessionPoint>(comparison.Cells.Count);
        foreach (var row in comparison.Cells)
        {
            var cell = cells[row.Cell];
            var arm = cell.Arms.First(known => known.Id == row.Arm);
            var metric = cell.Metrics.First(known => known.Name == row.Metric);
            if (row.Reference is null)
            {
                points.Add(new(cell, arm, row, metric, [], Alone(byCell[cell.Id], arm, metric)));
                continue;
            }

            if (!pairs.TryGetValue((cell.Id, arm.Id), out var pair))
            {
                pairs.Add((cell.Id, arm.Id), pair = new(cell, arm, byCell[cell.Id]));
            }

            var values = LogRatios.Of(pair.Deciding, metric);
            points.Add(new(cell, arm, row, metric, values.Reference, values.Arm));
        }

        return points;
    }

    /// <summary>Whether nothing but the same build was measured against itself.</summary>
    public static bool IsAa(SampleSet samples) => Pairs(samples) is { Count: > 0 } pairs && pairs.TrueForAll(pair =>
        PairEvidence.AreIdentical((pair.Arm.Build, pair.Arm.Dimensions), (pair.Cell.Reference.Build, pair.Cell.Reference.Dimensions)));

    /// <summary>Whether nothing but builds of the same source were measured against each other, laid out differently in memory.</summary>
    public static bool IsLayoutAa(SampleSet samples) => Pairs(samples) is { Count: > 0 } pairs && pairs.TrueForAll(pair =>
        pair.Arm.Dimensions.GetValueOrDefault(Layout) != pair.Cell.Reference.Dimensions.GetValueOrDefault(Layout)
        && !pair.Cell.Parameters.ContainsKey(Layout)
        && WithoutLayout(pair.Arm).SequenceEqual(WithoutLayout(pair.Cell.Reference)));

    private const string Layout = Planning.WorkloadDimensions.Layout;

    private static IEnumerable<KeyValuePair<string, string>> WithoutLayout(Arm arm) =>
        arm.Dimensions.Where(pair => pair.Key != Layout).OrderBy(pair => pair.Key, StringComparer.Ordinal);

    private static List<(Cell Cell, Arm Arm)> Pairs(SampleSet samples)
    {
        var measured = samples.Launches.Select(launch => (launch.Cell, launch.Arm)).ToHashSet();
        return [.. samples.Header.Cells.SelectMany(cell => cell.Arms.Skip(1).Select(arm => (cell, arm)))
            .Where(pair => measured.Contains((pair.cell.Id, pair.arm.Id)))];
    }

    private static double[] Alone(CellLaunches launches, Arm arm, Metric metric) =>
        [.. launches.Rounds(Stage.Screen).Alone(arm.Id).Select(launch => LogRatios.Value(launch, metric)).OfType<double>()];
}
