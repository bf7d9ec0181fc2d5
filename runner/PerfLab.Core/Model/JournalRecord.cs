using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Model;

/// <summary>One line of samples.ndjson. Its members are written in the order in which they stand here.</summary>
[JsonPolymorphic(TypeDiscriminatorPropertyName = "kind")]
[JsonDerivedType(typeof(SessionHeader), "session")]
[JsonDerivedType(typeof(Launch), "launch")]
[JsonDerivedType(typeof(VoidedRound), "void")]
[JsonDerivedType(typeof(SharedEvidence), "evidence")]
[JsonDerivedType(typeof(BuildDifference), "difference")]
[JsonDerivedType(typeof(TouchedPair), "touch")]
[JsonDerivedType(typeof(PairEnd), "pair-end")]
[JsonDerivedType(typeof(WithoutTurns), "no-turns")]
[JsonDerivedType(typeof(SessionResumed), "resumed")]
[JsonDerivedType(typeof(SessionEnd), "end")]
public abstract record JournalRecord
{
    /// <summary>What stands where the checksum comes, which only the whole line can give.</summary>
    public const string NoCrc = "00000000";

    /// <summary>Rises by one from 0.</summary>
    [AtLeast(0)]
    public long Seq { get; init; }

    /// <summary>CRC-32C, lower-case hex, of the line's UTF-8 bytes before the last ,"crc".</summary>
    [JsonPropertyOrder(100)]
    [RegularExpression("^[0-9a-f]{8}$", ErrorMessage = "eight digits of 0-9 and a-f")]
    public string Crc
    {
        get => NoCrc;
        init { }
    }
}

/// <summary>Strikes one attempt of a round afterwards, for every arm.</summary>
/// <param name="Attempt">0 when absent.</param>
public sealed record VoidedRound(
    string Cell, Stage Stage, [AtLeast(0)] int Round, [Range(0, Launch.LastAttempt)] int Attempt, string Reason) : JournalRecord;

/// <summary>A value that launches refer to, so that each distinct one is written once.</summary>
public sealed record SharedEvidence(string Id, JsonObject Value) : JournalRecord;

/// <summary>The session went on after an interruption.</summary>
/// <param name="Started">UTC, ISO 8601.</param>
public sealed record SessionResumed(string BootId, DateTimeOffset Started) : JournalRecord;

/// <summary>Missing when the session was cut.</summary>
public sealed record SessionEnd(string Outcome) : JournalRecord;
