using PerfLab.Core.Model;

namespace PerfLab.Launching.Results;

/// <summary>How much one launch of a benchmark does: the same for every arm, so that what depends on it is the same, too.</summary>
/// <param name="Operations">Of one iteration.</param>
/// <param name="WarmUps">Iterations that do not count, after a warm-up until the benchmark is at rest.</param>
/// <param name="Iterations">Iterations that do.</param>
public sealed record BenchmarkRun(long Operations, int WarmUps, int Iterations)
{
    /// <summary>Empty in a pilot, which finds out.</summary>
    public const string Variable = "PERF_LAB_BENCHMARK_RUN";

    /// <summary>Where the driver leaves BenchmarkDotNet's report.</summary>
    public const string ReportVariable = "PERF_LAB_REPORT", ReportFile = "report.json";

    /// <summary>As long as the clock and the loop are far below a thousandth of it, and short enough for many in a launch.</summary>
    private const double IterationSeconds = 0.1;

    /// <summary>BenchmarkDotNet unrolls its loop so often.</summary>
    private const int Unrolled = 16;

    /// <summary>A pilot that stood still for a moment finds too few operations; it was never off by more.</summary>
    private const double MostCorrection = 50;

    private const int LeastIterations = 3, MostIterations = 100;

    /// <summary>Of an iteration, by the pilot.</summary>
    public double Seconds { get; init; }

    public override string ToString() => Invariant($"{Operations}/{WarmUps}/{Iterations}");

    /// <summary>
    /// From the last iteration of a pilot, or null when it says nothing that could be true. In turns each iteration is a slice.
    /// </summary>
    public static BenchmarkRun? Of(ReportedBenchmark pilot, LaunchTimes times, TurnPlan? turns = null)
    {
        var last = pilot.Measurements?.LastOrDefault(measurement => measurement is { IterationMode: "Workload", IterationStage: "Actual" });
        if (last?.Operations?.Value is not (>= 1 and <= 1e12 and var operations)
            || last.Nanoseconds?.Value is not (> 0 and <= 1e15 and var nanoseconds))
        {
            return null;
        }

        var seconds = nanoseconds / 1e9;
        // One operation an iteration is the project's wish, or one that takes longer than an iteration.
        var iterationSeconds = turns?.SliceSeconds ?? IterationSeconds;
        var wanted = operations < 2 ? 1 : Math.Clamp(operations * iterationSeconds / seconds, 1, operations * MostCorrection);
        var rounded = wanted < Unrolled ? Math.Ceiling(wanted) : Math.Ceiling(wanted / Unrolled) * Unrolled;
        var iteration = seconds * rounded / operations;
        // The driver warms up by time, until the benchmark is at rest.
        var iterations = (int)Math.Clamp(Math.Ceiling(times.MeasureSeconds / iteration), LeastIterations, MostIterations);
        return new((long)rounded, 0, turns?.Slices ?? iterations) { Seconds = iteration };
    }
}
