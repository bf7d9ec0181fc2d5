using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Core.Reporting.Curves;

/// <summary>One arm of one cell as a point: the median over its counted launches, with the interval of that median.</summary>
public sealed record CurvePoint
{
    /// <summary>The value of the dimension along the curve, as it was written.</summary>
    public required string X { get; init; }

    /// <summary>The same as a number; null when the dimension is no number.</summary>
    public double? Number { get; init; }
    public required string Cell { get; init; }
    public required string Arm { get; init; }

    /// <summary>In the metric's unit; null when no launch was measured.</summary>
    public double? Value { get; init; }
    public double? Low { get; init; }
    public double? High { get; init; }
    public required int Launches { get; init; }

    /// <summary>The other points of its cell are held against this one.</summary>
    public required bool IsReference { get; init; }

    /// <summary>The paired comparison with the reference; null for the reference itself and in a session of one arm.</summary>
    public ComparedMetric? Compared { get; init; }
}

/// <summary>One line of a chart.</summary>
/// <param name="Name">What sets it apart from the others, "net10.0.14, pgo on"; empty when there is one. Untrusted.</param>
/// <param name="Points">By number, or in the order of the plan.</param>
public sealed record CurveSeries(string Name, IReadOnlyList<CurvePoint> Points);

/// <summary>One metric of one workload along one dimension, a line for each combination of the others.</summary>
public sealed record Curve
{
    /// <summary>"curve-channel-actors-throughput": the picture's name, [a-z0-9-].</summary>
    public required string Name { get; init; }
    public required string Workload { get; init; }
    public required Metric Metric { get; init; }

    /// <summary>The dimension or parameter along which it goes.</summary>
    public required string Dimension { get; init; }

    /// <summary>Whether its values are numbers: then it is a curve, otherwise points side by side.</summary>
    public required bool IsNumeric { get; init; }

    /// <summary>"batch=1" when every cell has the same reference; null when there is none, or several.</summary>
    public string? Reference { get; init; }

    /// <summary>What is the same at every point and worth saying, "net10.0.14, pgo on". Untrusted.</summary>
    public required string Fixed { get; init; }
    public required IReadOnlyList<CurveSeries> Series { get; init; }

    /// <summary>Least coverage of the points' intervals, a fraction.</summary>
    public required double Coverage { get; init; }
}
