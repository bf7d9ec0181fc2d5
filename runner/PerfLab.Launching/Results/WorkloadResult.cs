using PerfLab.Core.Model;

namespace PerfLab.Launching.Results;

/// <summary>What a launch must say for its result to be believed.</summary>
/// <param name="Nonce">The one given to this very launch.</param>
/// <param name="Metrics">The declared metrics of the mode: these and no others.</param>
/// <param name="WallSeconds">From exec to exit, as the runner saw it.</param>
public sealed record ExpectedResult(string Nonce, IReadOnlyList<Metric> Metrics, double WallSeconds);

/// <summary>A checked result.json.</summary>
public sealed record WorkloadResult
{
    /// <summary>Finite values by metric name, in the declared unit.</summary>
    public required IReadOnlyDictionary<string, double> Metrics { get; init; }
    public required double MeasuredSeconds { get; init; }

    /// <summary>Values of the measuring windows in order, by metric name.</summary>
    public required IReadOnlyDictionary<string, IReadOnlyList<double>> Windows { get; init; }

    /// <summary>As written: unit, digits, counts of [bucket, count] in rising order.</summary>
    public required JsonObject Histograms { get; init; }

    /// <summary>What the workload says about its runtime; hostile text until rendered.</summary>
    public required JsonObject Evidence { get; init; }
}

/// <summary>A result, or why it is not believed: one sentence each.</summary>
/// <param name="Result">Null when there are problems.</param>
/// <param name="Problems">Empty when there is a result.</param>
/// <param name="Absent">True when there is no file at all: the launch failed, rather than being refused.</param>
public sealed record ResultReading(WorkloadResult? Result, IReadOnlyList<string> Problems, bool Absent = false);
