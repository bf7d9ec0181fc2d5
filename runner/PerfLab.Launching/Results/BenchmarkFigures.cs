using PerfLab.Core.Model;

namespace PerfLab.Launching.Results;

/// <summary>One benchmark of a report as values of our metrics, or why it has none.</summary>
/// <param name="Metrics">Empty when there is a problem.</param>
/// <param name="Said">What BenchmarkDotNet itself says of the launch, for the journal.</param>
/// <param name="Problem">One sentence, or null.</param>
public sealed record BenchmarkFigures(IReadOnlyDictionary<string, double> Metrics, JsonObject Said, string? Problem)
{
    private const double NanosecondsInSecond = 1e9;

    /// <summary>As ExpectedResult has it: no unit makes such values.</summary>
    private const double Largest = 1e18;

    private const double OperationsOfRate = 1000;

    public static BenchmarkFigures Of(ReportedBenchmark benchmark)
    {
        var mean = benchmark.Statistics?.Mean?.Value;
        var problem = benchmark.Statistics is null ? "BenchmarkDotNet measured nothing"
            : mean is null ? "its mean is no number"
            : mean is 0 ? "BenchmarkDotNet measured 0 ns: what is benchmarked takes no longer than an empty method, so there is nothing to compare"
            : mean is < 0 or > Largest ? Invariant($"its mean is {mean} ns")
            : Strange(benchmark.Memory);
        return problem is null ? new(Values(mean!.Value, benchmark.Memory), Words(benchmark), null)
            : new(new Dictionary<string, double>(StringComparer.Ordinal), [], problem);
    }

    /// <summary>
    /// The launches of a reported benchmark: its processes, where its measurements tell of several, or else the one that it was. Bytes and
    /// collections are said once for all of them, so the first launch has them.
    /// </summary>
    public static IReadOnlyList<BenchmarkFigures> OfLaunches(ReportedBenchmark benchmark)
    {
        var whole = Of(benchmark);
        var launches = (benchmark.Measurements ?? [])
            .Where(IsResult)
            .GroupBy(measurement => measurement.LaunchIndex!.Value!.Value,
                measurement => measurement.Nanoseconds!.Value!.Value / measurement.Operations!.Value!.Value)
            .OrderBy(launch => launch.Key).Select(launch => launch.Average()).ToList();
        return whole.Problem is not null || launches.Count < 2 ? [whole]
            : [.. launches.Select((mean, index) => mean > Largest ? Refused(Invariant($"its mean is {mean} ns"))
                : new BenchmarkFigures(Values(mean, index == 0 ? benchmark.Memory : null), [], null))];
    }

    private static bool IsResult(ReportedMeasurement measurement) =>
        measurement is { IterationMode: "Workload", IterationStage: "Result", LaunchIndex.Value: not null }
            && measurement is { Operations.Value: >= 1, Nanoseconds.Value: > 0 };

    /// <summary>The one benchmark that a launch was to measure, from the report that it left.</summary>
    /// <param name="bytes">Hostile.</param>
    /// <param name="name">Of the benchmark.</param>
    public static (ReportedBenchmark? Benchmark, BenchmarkFigures Figures) OfLaunch(byte[] bytes, string name)
    {
        var (report, faults) = BenchmarkReport.File.Read(bytes);
        if (report?.Benchmarks is not [{ } only])
        {
            return (null, Refused(report is null ? $"BenchmarkDotNet's report can't be read: {string.Join("; ", faults)}"
                : Invariant($"BenchmarkDotNet's report holds {report.Benchmarks?.Count ?? 0} benchmarks, expected 1")));
        }

        if (only.FullName != name)
        {
            return (null, Refused($"BenchmarkDotNet's report is of \"{Quote.Of(only.FullName ?? "", 200)}\", expected \"{name}\""));
        }

        var figures = Of(only);
        figures.Said["version"] = Quote.Of(report.HostEnvironmentInfo?.BenchmarkDotNetVersion ?? "unknown");
        return (only, figures);
    }

    private static BenchmarkFigures Refused(string why) => new(new Dictionary<string, double>(StringComparer.Ordinal), [], why);

    private static string? Strange(ReportedMemory? memory) =>
        new[] { memory?.BytesAllocatedPerOperation, memory?.Gen0Collections, memory?.Gen1Collections, memory?.Gen2Collections,
            memory?.TotalOperations }
            .Any(number => number?.Value is < 0 or > Largest) ? "what it says of memory can't be true" : null;

    private static Dictionary<string, double> Values(double nanoseconds, ReportedMemory? memory)
    {
        var values = new Dictionary<string, double>(StringComparer.Ordinal) { [BenchmarkCases.Time] = nanoseconds / NanosecondsInSecond };
        if (memory?.BytesAllocatedPerOperation?.Value is { } bytes)
        {
            values[BenchmarkCases.Allocated] = bytes;
        }

        if (memory?.TotalOperations?.Value is > 0 and var operations)
        {
            ReportedNumber?[] collections = [memory.Gen0Collections, memory.Gen1Collections, memory.Gen2Collections];
            foreach (var (generation, count) in BenchmarkCases.Generations.Zip(collections).Where(pair => pair.Second?.Value is not null))
            {
                values[generation] = count!.Value!.Value * OperationsOfRate / operations;
            }
        }

        return values;
    }

    // Shares of the mean, so that launches of different benchmarks read alike. What it left out is not in its statistics any more: its own
    // "AllOutliers" are those of what it kept.
    private static JsonObject Words(ReportedBenchmark benchmark)
    {
        var statistics = benchmark.Statistics!;
        var mean = statistics.Mean!.Value!.Value;
        var (measured, kept) = (Iterations("Actual"), Iterations("Result"));
        var said = new JsonObject { ["iterations"] = statistics.N?.Value, ["outliers"] = measured >= kept && kept > 0 ? measured - kept : null };
        Share("error", statistics.ConfidenceInterval?.Margin);
        Share("stdDev", statistics.StandardDeviation);
        return said;

        int Iterations(string stage) => benchmark.Measurements?.Count(one => one.IterationMode == "Workload" && one.IterationStage == stage) ?? 0;

        void Share(string name, ReportedNumber? nanoseconds)
        {
            if (nanoseconds?.Value is >= 0 and var number && double.IsFinite(number / mean))
            {
                said[name] = Math.Round(number / mean, 6);
            }
        }
    }
}
