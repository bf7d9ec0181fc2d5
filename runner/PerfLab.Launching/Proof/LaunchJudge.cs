using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Results;

namespace PerfLab.Launching.Proof;

/// <summary>What a launch counts as.</summary>
public sealed record JudgedLaunch(Outcome Outcome, string? Reason, IReadOnlyDictionary<string, double> Metrics, JsonObject Evidence)
{
    /// <summary>From a launch of a benchmark of BenchmarkDotNet: what a measured one shall do. Null when it can't be told.</summary>
    public BenchmarkRun? Pilot { get; init; }

    /// <summary>For how long it says that it measured; null where something else knows better (BenchmarkDotNet), or nothing was measured.</summary>
    public double? MeasuredSeconds { get; init; }
}

/// <summary>What a launch is judged by, beside how it ended.</summary>
/// <param name="Nonce">The one given to this very launch.</param>
/// <param name="ProofLaunch">The traced launch of the same arm, where one was needed.</param>
public sealed record LaunchExpectation(PlannedCell Cell, PlannedArm Arm, string Nonce, ProofLaunchFacts? ProofLaunch = null)
{
    /// <summary>Assemblies of the packages that the arm names; empty where it names none.</summary>
    public IReadOnlyList<PackageAssembly> Packages { get; init; } = [];
}

/// <summary>From how a launch ended and what it wrote to what it counts as; the same for every executor.</summary>
public static class LaunchJudge
{
    /// <summary>A hundred iterations are 20 KB.</summary>
    private const int LargestReport = 1 << 20;

    private static readonly string[] NoStart = ["GC heap initialization failed", "Failed to create CoreCLR", "0x8007000E"];

    private static readonly Dictionary<string, double> NoMetrics = new(StringComparer.Ordinal);

    public static JudgedLaunch Judge(LaunchExpectation expected, LaunchEnd end) =>
        end.SpoiledBy is { } node && JudgeEnd(expected, end) is var judged
            ? judged with { Reason = $"{node}: {judged.Reason ?? Invariant($"exit code {end.ExitCode}")}" }
            : JudgeEnd(expected, end);

    private static JudgedLaunch JudgeEnd(LaunchExpectation expected, LaunchEnd end) => end.How switch
    {
        EndKind.Exited when end.ExitCode == 0 && expected.Cell.Result == ResultFormat.WallTime => SeenFromOutside(expected, end),
        EndKind.Exited when end.ExitCode == 0 => JudgeResult(expected, end),
        EndKind.Exited => Without(Outcome.Failed, end, TooLittleToStart(expected.Arm, end) ?? end.Reason),
        EndKind.TimedOut => Without(Outcome.TimedOut, end, $"no end after {expected.Cell.Launch.TimeoutSeconds:0.#} s"),
        EndKind.OutOfMemory => Without(Outcome.OutOfMemory, end, MemoryReason(expected)),
        EndKind.Flooded => Without(Outcome.Failed, end, end.Reason ?? "it printed more than the output limit and was stopped"),
        EndKind.KilledFromOutside => Without(Outcome.KilledFromOutside, end, end.Reason ?? "killed by something that is not the lab"),
        EndKind.EngineGone => Without(Outcome.KilledFromOutside, end, end.Reason ?? "the engine stopped answering"),
        EndKind.NodeFailed => Without(Outcome.Failed, end, end.Reason),
        EndKind.NotStarted => Without(Outcome.Failed, end, $"could not be started: {end.Reason}"),
        _ => throw new ArgumentOutOfRangeException(nameof(end), end.How, "unknown end"),
    };

    private static string MemoryReason(LaunchExpectation expected) =>
        Invariant($"limit {expected.Cell.ResourcesOf(expected.Arm).MemoryBytes >> 20} MiB") + (expected.Arm.Limits?.MemoryBytes is { } asked
            ? $": memory={MemoryText.Of(asked)} is less than the program and its runtime need; name more" : "");

    /// <summary>The runtime ends by itself, without the kernel, where it can't even reserve its heap.</summary>
    private static string? TooLittleToStart(PlannedArm arm, LaunchEnd end) =>
        arm.Limits?.MemoryBytes is { } asked && NoStart.Any(words => end.Tail.Contains(words, StringComparison.Ordinal))
            ? $"the runtime could not start in memory={MemoryText.Of(asked)}; name more" : null;

    /// <summary>Nothing was asked of the program, so nothing of it is believed.</summary>
    private static JudgedLaunch SeenFromOutside(LaunchExpectation expected, LaunchEnd end)
    {
        var values = new Dictionary<string, double>(StringComparer.Ordinal)
        {
            ["time"] = end.WallSeconds,
            ["cpu-time"] = end.Evidence["cpuSeconds"] is { } seconds ? seconds.GetValue<double>() : 0,
        };
        return new(Outcome.Measured, null, expected.Cell.Metrics.ToDictionary(metric => metric.Name, metric => values[metric.Name],
            StringComparer.Ordinal), WithOutside([], end));
    }

    private static JudgedLaunch JudgeResult(LaunchExpectation expected, LaunchEnd end)
    {
        var isBenchmark = expected.Cell.Result == ResultFormat.BenchmarkDotNet;
        var reading = ResultReader.Read(end.ResultFile, new(expected.Nonce, isBenchmark ? [] : expected.Cell.Metrics, end.WallSeconds));
        if (reading.Result is not { } result)
        {
            return Without(reading.Absent ? Outcome.Failed : Outcome.Refused, end, string.Join("; ", reading.Problems));
        }

        if (isBenchmark)
        {
            return JudgeBenchmark(expected, end, result);
        }

        return JudgeEvidence(expected, end, result, result.Values(expected.Cell.Metrics)) with { MeasuredSeconds = result.MeasuredSeconds };
    }

    /// <summary>The driver's result says how it ran; what it took says BenchmarkDotNet's report, which lies beside it.</summary>
    private static JudgedLaunch JudgeBenchmark(LaunchExpectation expected, LaunchEnd end, WorkloadResult result)
    {
        var (bytes, problem) = ResultFile.Read(LeftReport(end));
        if (bytes is null)
        {
            return Without(Outcome.Refused, end, problem ?? "the launch left no report of BenchmarkDotNet");
        }

        // Of the cell, or of the arm where two methods are compared with each other.
        var name = expected.Cell.Parameters.GetValueOrDefault(BenchmarkCases.Parameter)
            ?? expected.Arm.Dimensions.GetValueOrDefault(BenchmarkCases.Parameter, "");
        var (benchmark, figures) = BenchmarkFigures.OfLaunch(bytes, name);
        if (figures.Problem is not null)
        {
            return Without(Outcome.Refused, end, figures.Problem);
        }

        result.Evidence["benchmarkDotNet"] = figures.Said;
        return JudgeEvidence(expected, end, result, figures.Metrics) with
        {
            Pilot = BenchmarkRun.Of(benchmark!, expected.Cell.Launch, expected.Cell.Turns),
        };
    }

    private static LeftFile LeftReport(LaunchEnd end) =>
        new(Path.Combine(Path.GetDirectoryName(end.ResultFile)!, BenchmarkRun.ReportFile), "BenchmarkDotNet's report", LargestReport);

    private static JudgedLaunch JudgeEvidence(
        LaunchExpectation expected, LaunchEnd end, WorkloadResult result, IReadOnlyDictionary<string, double> metrics)
    {
        HistogramEvidence.Add(result);
        var evidence = WithOutside(WindowEvidence.Added(result, expected.Cell.Metrics), end);
        var reporter = end.Nodes.FirstOrDefault(node => node.End.ResultFile == end.ResultFile)?.End ?? end;
        var verdict = EvidenceCheck.Of(expected.Arm, result.Evidence, reporter, expected.ProofLaunch);
        evidence.Remove("proof"); // the lab's own word
        if (verdict.Proof is { } proof)
        {
            evidence["proof"] = proof;
        }

        var packages = PackageEvidence.Of(expected.Packages, evidence);
        if (packages.Proof is { } loaded)
        {
            evidence["packages"] = loaded;
        }
        else
        {
            evidence.Remove("packages");
        }

        evidence.Remove("nodes");
        var disagreements = packages.Disagreement ?? NodeJudge.Disagreements(expected, end, evidence);
        return (verdict.Disagreement ?? disagreements) is { } disagreement
            ? new(Outcome.Refused, disagreement, NoMetrics, evidence)
            : new(Outcome.Measured, null, metrics, evidence);
    }

    private static JudgedLaunch Without(Outcome outcome, LaunchEnd end, string? reason) =>
        new(outcome, reason, NoMetrics, WithOutside([], end));

    private static JsonObject WithOutside(JsonObject evidence, LaunchEnd end)
    {
        if (end.Evidence.Count > 0)
        {
            evidence["outside"] = end.Evidence.DeepClone();
        }

        return evidence;
    }
}
