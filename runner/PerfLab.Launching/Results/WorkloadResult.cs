using System.Collections.ObjectModel;
using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Launching.Results;

/// <summary>What result.json says; whether it is what was agreed, <see cref="ExpectedResult"/> knows.</summary>
internal sealed record WorkloadResult : IChecked
{
    private const int MostWindows = 100_000;
    private const int MostEvidence = 64 << 10;

    public static FileFormat<WorkloadResult> File { get; } = new("perf-lab/result/1", "result.json: what one launch of a workload writes")
    {
        IsWrittenByPeople = true,
        MostBytes = ResultFile.LargestBytes,
    };

    /// <summary>The value of PERF_LAB_NONCE.</summary>
    [MinLength(1)]
    public required string Nonce { get; init; }

    /// <summary>Seconds that were measured; not more than the wall time that the runner saw.</summary>
    [MoreThan(0)]
    public required double MeasuredSeconds { get; init; }

    /// <summary>Every declared metric of the mode, and no other.</summary>
    public required IReadOnlyDictionary<string, MeasuredValue> Metrics { get; init; }

    /// <summary>Metric -> its values over consecutive parts of the measured time, in the metric's unit.</summary>
    [AtLeast(0)]
    public IReadOnlyDictionary<string, IReadOnlyList<double>> Windows { get; init; } =
        ReadOnlyDictionary<string, IReadOnlyList<double>>.Empty;

    /// <summary>Distributions, e.g. of latency.</summary>
    [Keys("^[a-z0-9-]{1,64}$", InWords = "a name of a-z, 0-9 and -")]
    [MaxLength(16)]
    public IReadOnlyDictionary<string, Histogram> Histograms { get; init; } = ReadOnlyDictionary<string, Histogram>.Empty;

    /// <summary>What proves that the launch ran as claimed; a workload may add to it. Hostile text until rendered.</summary>
    public JsonObject Evidence { get; init; } = [];

    /// <summary>The values of these metrics, in their order.</summary>
    public IReadOnlyDictionary<string, double> Values(IReadOnlyList<Metric> metrics) =>
        metrics.ToDictionary(metric => metric.Name, metric => Metrics[metric.Name].Value, StringComparer.Ordinal);

    public IEnumerable<Problem> Problems()
    {
        foreach (var (name, values) in Windows.Where(series => series.Value.Count > MostWindows))
        {
            yield return new($"windows.{Quote.Of(name)}", Invariant($"must have at most {MostWindows} numbers, has {values.Count}"));
        }

        if (Evidence.ToJsonString().Length is > MostEvidence and var length)
        {
            yield return new("evidence", Invariant($"must have at most {MostEvidence} characters, has {length}"));
        }
    }
}

/// <param name="Value">In the unit.</param>
/// <param name="Unit">The declared unit.</param>
internal sealed record MeasuredValue(double Value, string Unit);

/// <summary>Log-linear counts.</summary>
/// <param name="Digits">Significant decimal digits of the buckets.</param>
/// <param name="Counts">[bucket, count], buckets rising.</param>
internal sealed record Histogram([Length(1, 16)] string Unit, [Range(1, 5)] int Digits, IReadOnlyList<Bucket> Counts) : IChecked
{
    public IEnumerable<Problem> Problems() =>
        Counts.Zip(Counts.Skip(1)).Any(pair => pair.Second.Place <= pair.First.Place) ? [new("counts", "must have rising buckets")] : [];
}
