using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text.Unicode;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Core.Journal;

/// <summary>
/// Reads a measured launch or its evidence, written as we write them, in one pass: nearly every line of a journal is one of these. All
/// else about a line is left to the strict reader, which says what is wrong with it. So this one takes nothing that the strict one would
/// refuse.
/// </summary>
public sealed class FastJournalReader
{
    /// <summary>A journal may come from anywhere: not every name in it is worth keeping.</summary>
    private const int MostNames = 100_000;
    private const int LongestName = 128;

    private static readonly SearchValues<byte> HexDigits = SearchValues.Create("0123456789abcdef"u8);
    private static readonly JsonReaderOptions Options = new() { MaxDepth = FileFormat.Depth };
    private static readonly JsonObject Empty = [];
    private static readonly ObjectShape Free = new() { Others = new AnyShape { CanBeNull = true } };

    // Cells, arms and metrics are named again in every line.
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);
    private readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> _known;

    public FastJournalReader() => _known = _names.GetAlternateLookup<ReadOnlySpan<char>>();

    /// <summary>Null: the strict reader has to look.</summary>
    /// <param name="line">Without its line feed; its checksum is right.</param>
    [MethodImpl(Optimize.AtFirstCall)]
    public JournalRecord? Read(ReadOnlySpan<byte> line)
    {
        var isLaunch = line.StartsWith("{\"kind\":\"launch\","u8);
        if ((!isLaunch && !line.StartsWith("{\"kind\":\"evidence\","u8)) || line.Contains((byte)'\\') || !Utf8.IsValid(line))
        {
            return null;
        }

        try
        {
            var reader = new Utf8JsonReader(line, Options);
            reader.Read();
            return !Is(ref reader, "kind"u8) || !Is(ref reader, "seq"u8) || Seq(ref reader) is not { } seq ? null
                : isLaunch ? LaunchOf(ref reader, seq) : EvidenceOf(ref reader, seq);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static SharedEvidence? EvidenceOf(ref Utf8JsonReader reader, long seq) =>
        Is(ref reader, "id"u8) && reader.TokenType == JsonTokenType.String && reader.GetString() is { } id
            && Is(ref reader, "value"u8) && Object(ref reader) is { } value && IsClosed(ref reader)
            ? new(id, value) { Seq = seq } : null;

    [MethodImpl(Optimize.AtFirstCall)]
    private Launch? LaunchOf(ref Utf8JsonReader reader, long seq)
    {
        if (!(Is(ref reader, "cell"u8) && Name(ref reader) is { } cell
            && Is(ref reader, "stage"u8) && StageOf(ref reader) is { } stage
            && Is(ref reader, "round"u8) && Count(ref reader) is { } round
            && Is(ref reader, "attempt"u8) && Count(ref reader) is { } attempt and <= Launch.LastAttempt
            && Is(ref reader, "position"u8) && Count(ref reader) is { } position
            && Is(ref reader, "arm"u8) && Name(ref reader) is { } arm))
        {
            return null;
        }

        int? pad = null;
        var next = reader;
        if (Is(ref next, "pad"u8))
        {
            reader = next;
            if ((pad = Count(ref reader)) is null)
            {
                return null;
            }
        }

        return Is(ref reader, "started"u8) && Time(ref reader) is { } started
            && Is(ref reader, "wallSeconds"u8) && Finite(ref reader) is { } seconds and >= 0
            && Is(ref reader, "outcome"u8) && IsText(ref reader, "measured"u8)
            && Is(ref reader, "metrics"u8) && Values(ref reader) is { } metrics
            && Is(ref reader, "evidence"u8) && Object(ref reader) is { } evidence
            && Is(ref reader, "hygiene"u8) && Object(ref reader) is { } hygiene
            && IsClosed(ref reader)
            ? new()
            {
                Seq = seq,
                Cell = cell,
                Stage = stage,
                Round = round,
                Attempt = attempt,
                Position = position,
                Arm = arm,
                Pad = pad,
                Started = started,
                WallSeconds = seconds,
                Outcome = Outcome.Measured,
                Metrics = metrics,
                Evidence = evidence,
                Hygiene = hygiene,
            }
            : null;
    }

    /// <summary>Whether the next member is this one; then the reader is at its value.</summary>
    [MethodImpl(Optimize.AtFirstCall)]
    private static bool Is(ref Utf8JsonReader reader, ReadOnlySpan<byte> name) =>
        reader.Read() && reader.TokenType == JsonTokenType.PropertyName && reader.ValueTextEquals(name) && reader.Read();

    private static bool IsText(ref Utf8JsonReader reader, ReadOnlySpan<byte> text) =>
        reader.TokenType == JsonTokenType.String && reader.ValueTextEquals(text);

    private static Stage? StageOf(ref Utf8JsonReader reader) => IsText(ref reader, "screen"u8) ? Stage.Screen
        : IsText(ref reader, "confirm"u8) ? Stage.Confirm
        : IsText(ref reader, "repeat"u8) ? Stage.Repeat
        : null;

    private static int? Count(ref Utf8JsonReader reader) =>
        reader.TokenType == JsonTokenType.Number && reader.TryGetInt32(out var count) && count >= 0 ? count : null;

    private static double? Finite(ref Utf8JsonReader reader) =>
        reader.TokenType == JsonTokenType.Number && reader.TryGetDouble(out var value) && double.IsFinite(value) ? value : null;

    private static DateTimeOffset? Time(ref Utf8JsonReader reader) =>
        reader.TokenType == JsonTokenType.String && TextShape.EndsAsUtc(reader.ValueSpan) && reader.TryGetDateTimeOffset(out var time)
            ? time : null;

    private static long? Seq(ref Utf8JsonReader reader) =>
        reader.TokenType == JsonTokenType.Number && reader.TryGetInt64(out var seq) && seq >= 0 ? seq : null;

    /// <summary>Whether the checksum is next, and after it nothing.</summary>
    private static bool IsClosed(ref Utf8JsonReader reader) => Is(ref reader, "crc"u8) && reader.TokenType == JsonTokenType.String
        && reader.ValueSpan.Length == 8 && !reader.ValueSpan.ContainsAnyExcept(HexDigits)
        && reader.Read() && reader.TokenType == JsonTokenType.EndObject && !reader.Read();

    /// <summary>Text; the same text is the same string each time.</summary>
    [MethodImpl(Optimize.AtFirstCall)]
    private string? Name(ref Utf8JsonReader reader)
    {
        if (reader.TokenType is not (JsonTokenType.String or JsonTokenType.PropertyName) || reader.ValueSpan.Length > LongestName)
        {
            return null;
        }

        Span<char> room = stackalloc char[LongestName];
        var text = room[..Encoding.UTF8.GetChars(reader.ValueSpan, room)];
        if (_known.TryGetValue(text, out var known))
        {
            return known;
        }

        var name = text.ToString();
        if (_names.Count < MostNames)
        {
            _names.Add(name);
        }

        return name;
    }

    [MethodImpl(Optimize.AtFirstCall)]
    private Dictionary<string, double>? Values(ref Utf8JsonReader reader)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            return null;
        }

        var values = new Dictionary<string, double>(StringComparer.Ordinal);
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (Name(ref reader) is not { } name || !reader.Read() || Finite(ref reader) is not { } value || !values.TryAdd(name, value))
            {
                return null;
            }
        }

        return values;
    }

    private static JsonObject? Object(ref Utf8JsonReader reader)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            return null;
        }

        var after = reader;
        if (after.Read() && after.TokenType == JsonTokenType.EndObject)
        {
            reader = after;
            return Empty;
        }

        var (value, validation) = (JsonElement.ParseValue(ref reader), new Validation());
        Free.Check(value, validation);
        return validation.HasProblems ? null : JsonObject.Create(value);
    }
}
