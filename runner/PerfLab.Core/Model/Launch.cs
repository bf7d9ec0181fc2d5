using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Model;

/// <summary>How a launch ended. Only <see cref="Measured"/> has values.</summary>
public enum Outcome { Measured, Failed, TimedOut, OutOfMemory, Refused, KilledFromOutside }

/// <summary>
/// Part of a session: the screen visits every cell, the confirm stage fresh rounds of those worth it,
/// and repeats, some minutes apart, measure
/// again what was flagged. Rounds of all repeats are numbered through.
/// </summary>
public enum Stage { Screen, Confirm, Repeat }

/// <summary>One start of one arm: the unit of replication.</summary>
public sealed record Launch : JournalRecord
{
    /// <summary>A round is repeated this often at most.</summary>
    public const int LastAttempt = 3;

    public required string Cell { get; init; }
    public required Stage Stage { get; init; }

    /// <summary>From 0 in each stage.</summary>
    [AtLeast(0)]
    public required int Round { get; init; }

    /// <summary>0 for the first try of a round, and when absent; then 1, 2, 3.</summary>
    [Range(0, LastAttempt)]
    public int Attempt { get; init; }

    /// <summary>Place of this launch in its round, from 0.</summary>
    [AtLeast(0)]
    public required int Position { get; init; }
    public required string Arm { get; init; }

    /// <summary>
    /// Bytes of padding in its environment, drawn for its round; null in journals made before they were drawn, and where nothing was
    /// launched.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [AtLeast(0)]
    public int? Pad { get; init; }

    /// <summary>UTC, ISO 8601.</summary>
    public required DateTimeOffset Started { get; init; }

    /// <summary>As the runner saw it.</summary>
    [AtLeast(0)]
    public required double WallSeconds { get; init; }
    public required Outcome Outcome { get; init; }

    /// <summary>Values by metric name, in the metric's unit; empty unless measured.</summary>
    public IReadOnlyDictionary<string, double> Metrics { get; init; } = new Dictionary<string, double>(StringComparer.Ordinal);
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? ExitCode { get; init; }

    /// <summary>The last lines that a failed launch printed, as it printed them: hostile text until rendered.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Tail { get; init; }

    /// <summary>Why a launch was refused.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Reason { get; init; }

    /// <summary>Free, or {"ref": id} of an evidence record before.</summary>
    public JsonObject Evidence { get; init; } = [];
    public JsonObject Hygiene { get; init; } = [];

    /// <summary>Its slices where the arms of its round took turns; null where they were launched one after the other.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TurnSlices? Turns { get; init; }

    /// <summary>
    /// Whether it came to rest, judged afterwards from the windows in its evidence; null when it was not looked at. No journal holds it.
    /// </summary>
    [JsonIgnore]
    public SteadyState? Steady { get; init; }
}
