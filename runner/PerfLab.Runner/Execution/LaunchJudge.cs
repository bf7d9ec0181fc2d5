using System.Text.Json.Nodes;
using PerfLab.Core.Measurements;
using PerfLab.Core.Planning;
using PerfLab.Runner.Execution.Results;

namespace PerfLab.Runner.Execution;

/// <summary>What a launch counts as.</summary>
public sealed record JudgedLaunch(Outcome Outcome, string? Reason, IReadOnlyDictionary<string, double> Metrics, JsonObject Evidence);

/// <summary>From how a launch ended and what it wrote to what it counts as; the same for every executor.</summary>
public static class LaunchJudge
{
    private static readonly Dictionary<string, double> NoMetrics = new(StringComparer.Ordinal);

    public static JudgedLaunch Judge(PlannedCell cell, PlannedArm arm, string nonce, LaunchEnd end) => end.How switch
    {
        EndKind.Exited when end.ExitCode == 0 => JudgeResult(cell, arm, nonce, end),
        EndKind.Exited => Without(Outcome.Failed, end, end.Reason),
        EndKind.TimedOut => Without(Outcome.TimedOut, end, $"no end after {cell.Launch.TimeoutSeconds:0.#} s"),
        EndKind.OutOfMemory => Without(Outcome.OutOfMemory, end, $"limit {cell.Resources.MemoryBytes >> 20} MiB"),
        EndKind.Flooded => Without(Outcome.Failed, end, end.Reason ?? "it printed more than the output limit and was stopped"),
        EndKind.KilledFromOutside => Without(Outcome.KilledFromOutside, end, end.Reason ?? "killed by something that is not the lab"),
        EndKind.EngineGone => Without(Outcome.KilledFromOutside, end, end.Reason ?? "the engine stopped answering"),
        EndKind.NotStarted => Without(Outcome.Failed, end, $"could not be started: {end.Reason}"),
        _ => throw new ArgumentOutOfRangeException(nameof(end), end.How, "unknown end"),
    };

    private static JudgedLaunch JudgeResult(PlannedCell cell, PlannedArm arm, string nonce, LaunchEnd end)
    {
        var reading = ResultReader.Read(end.ResultFile, new(nonce, cell.Metrics, end.WallSeconds));
        if (reading.Result is not { } result)
        {
            return Without(reading.Absent ? Outcome.Failed : Outcome.Refused, end, string.Join("; ", reading.Problems));
        }

        return EvidenceCheck.Disagreement(arm.Knobs, result.Evidence) is { } disagreement
            ? Without(Outcome.Refused, end, disagreement) with { Evidence = result.Evidence }
            : new(Outcome.Measured, null, result.Metrics, WithOutside(WindowEvidence.Added(result, cell.Metrics), end));
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
