namespace PerfLab.Core.Model;

/// <summary>How a launch ended. Only <see cref="Measured"/> has values.</summary>
public enum Outcome { Measured, Failed, TimedOut, OutOfMemory, Refused, KilledFromOutside }

/// <summary>Part of a session: the screen visits every cell, the confirm stage fresh rounds of those worth it.</summary>
public enum Stage { Screen, Confirm }

/// <summary>One start of one arm: the unit of replication.</summary>
public sealed record Launch
{
    public required string Cell { get; init; }
    public required Stage Stage { get; init; }

    /// <summary>Counts from 0 in each stage.</summary>
    public required int Round { get; init; }

    /// <summary>0 for the first try of a round, then 1, 2, 3.</summary>
    public int Attempt { get; init; }

    /// <summary>Place of this launch in its round, from 0.</summary>
    public required int Position { get; init; }
    public required string Arm { get; init; }

    /// <summary>Bytes of padding in its environment, drawn for its round; null in journals made before they were drawn, and where nothing was launched.</summary>
    public int? Pad { get; init; }
    public required DateTimeOffset Started { get; init; }
    public required double WallSeconds { get; init; }
    public required Outcome Outcome { get; init; }

    /// <summary>Values by metric name, in the metric's unit; empty unless measured.</summary>
    public IReadOnlyDictionary<string, double> Metrics { get; init; } = new Dictionary<string, double>(StringComparer.Ordinal);
    public int? ExitCode { get; init; }

    /// <summary>The last lines that a failed launch printed, as it printed them: hostile text until rendered.</summary>
    public string? Tail { get; init; }

    /// <summary>Why a launch was refused.</summary>
    public string? Reason { get; init; }
    public JsonObject Evidence { get; init; } = [];
    public JsonObject Hygiene { get; init; } = [];

    /// <summary>Whether it came to rest, judged afterwards from the windows in its evidence; null when it was not looked at. No journal holds it.</summary>
    public SteadyState? Steady { get; init; }
}

/// <summary>Strikes one attempt of a round afterwards, for every arm.</summary>
public sealed record VoidedRound(string Cell, Stage Stage, int Round, int Attempt, string Reason);
