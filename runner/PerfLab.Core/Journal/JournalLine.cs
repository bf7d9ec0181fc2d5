using System.Buffers;
using System.Text.Encodings.Web;
using PerfLab.Core.Model;

namespace PerfLab.Core.Journal;

/// <summary>The records of samples.ndjson as bytes: one JSON object a line, its members in a fixed order, closed by its checksum.</summary>
public static class JournalLine
{
    private static readonly JsonWriterOptions Plain = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public static byte[] Session(long seq, SessionHeader header) => Line("session", seq, json =>
    {
        json.WriteString("schema", JournalWords.Schema);
        json.WriteString("session", header.Session);
        json.WriteString("plan", header.Plan);
        json.WriteNumber("seed", header.Seed);
        if (header.SameIl)
        {
            json.WriteBoolean("sameIl", true);
        }

        json.WriteString("started", Time(header.Started));
        json.WriteString("executor", header.Executor);
        WriteNode(json, "machine", header.Machine);
        if (header.Policy is { } policy)
        {
            json.WriteStartObject("policy");
            WritePolicyMembers(json, policy);
            json.WriteEndObject();
        }

        json.WriteStartArray("cells");
        foreach (var cell in header.Cells)
        {
            WriteCell(json, cell);
        }

        json.WriteEndArray();
    });

    /// <param name="evidenceRef">Id of an evidence record written before, or null to write the evidence itself.</param>
    public static byte[] Launch(long seq, Launch launch, string? evidenceRef = null) => Line("launch", seq, json =>
    {
        json.WriteString("cell", launch.Cell);
        json.WriteString("stage", JournalWords.Of(JournalWords.Stages, launch.Stage));
        json.WriteNumber("round", launch.Round);
        json.WriteNumber("attempt", launch.Attempt);
        json.WriteNumber("position", launch.Position);
        json.WriteString("arm", launch.Arm);
        if (launch.Pad is { } pad)
        {
            json.WriteNumber("pad", pad);
        }

        json.WriteString("started", Time(launch.Started));
        json.WriteNumber("wallSeconds", launch.WallSeconds);
        json.WriteString("outcome", JournalWords.Of(JournalWords.Outcomes, launch.Outcome));
        WriteOptional(json, launch);
        if (evidenceRef is null)
        {
            WriteNode(json, "evidence", launch.Evidence);
        }
        else
        {
            WriteNode(json, "evidence", new JsonObject { ["ref"] = evidenceRef });
        }

        WriteNode(json, "hygiene", launch.Hygiene);
    });

    public static byte[] Evidence(long seq, string id, JsonObject value) => Line("evidence", seq, json =>
    {
        json.WriteString("id", id);
        WriteNode(json, "value", value);
    });

    public static byte[] Void(long seq, VoidedRound voided) => Line("void", seq, json =>
    {
        json.WriteString("cell", voided.Cell);
        json.WriteString("stage", JournalWords.Of(JournalWords.Stages, voided.Stage));
        json.WriteNumber("round", voided.Round);
        json.WriteNumber("attempt", voided.Attempt);
        json.WriteString("reason", voided.Reason);
    });

    public static byte[] Resumed(long seq, string bootId, DateTimeOffset started) => Line("resumed", seq, json =>
    {
        json.WriteString("bootId", bootId);
        json.WriteString("started", Time(started));
    });

    public static byte[] End(long seq, string outcome) => Line("end", seq, json => json.WriteString("outcome", outcome));

    /// <summary>The members of a policy under their file names.</summary>
    public static void WritePolicyMembers(Utf8JsonWriter json, Policy policy)
    {
        json.WriteNumber("screen-rounds", policy.ScreenRounds);
        json.WriteNumber("keep-p", policy.KeepP);
        json.WriteNumber("confirm-rounds", policy.ConfirmRounds);
        json.WriteNumber("family-error", policy.FamilyError);
        json.WriteNumber("margin", policy.Margin);
        json.WriteNumber("interval", policy.Interval);
        json.WriteNumber("too-noisy", policy.TooNoisy);
    }

    private static void WriteCell(Utf8JsonWriter json, Cell cell)
    {
        json.WriteStartObject();
        json.WriteString("id", cell.Id);
        json.WriteString("workload", cell.Workload);
        WriteTexts(json, "dimensions", cell.Dimensions);
        WriteTexts(json, "parameters", cell.Parameters);
        json.WriteStartArray("arms");
        foreach (var arm in cell.Arms)
        {
            json.WriteStartObject();
            json.WriteString("id", arm.Id);
            WriteTexts(json, "dimensions", arm.Dimensions);
            json.WriteString("build", arm.Build);
            if (arm.Il is { } il)
            {
                json.WriteString("il", il);
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("metrics");
        foreach (var metric in cell.Metrics)
        {
            json.WriteStartObject();
            json.WriteString("name", metric.Name);
            json.WriteString("unit", metric.Unit);
            json.WriteString("better", JournalWords.Of(JournalWords.Directions, metric.Better));
            json.WriteBoolean("primary", metric.Primary);
            if (metric.Kind == MetricKind.Exact)
            {
                json.WriteString("kind", "exact");
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
        if (cell.Unavailable is { } reason)
        {
            json.WriteString("unavailable", reason);
        }

        json.WriteEndObject();
    }

    private static void WriteOptional(Utf8JsonWriter json, Launch launch)
    {
        if (launch.Outcome == Outcome.Measured)
        {
            json.WriteStartObject("metrics");
            foreach (var (name, value) in launch.Metrics)
            {
                json.WriteNumber(name, value);
            }

            json.WriteEndObject();
        }

        if (launch.ExitCode is { } code)
        {
            json.WriteNumber("exitCode", code);
        }

        if (launch.Tail is { } tail)
        {
            json.WriteString("tail", tail);
        }

        if (launch.Reason is { } reason)
        {
            json.WriteString("reason", reason);
        }
    }

    private static void WriteTexts(Utf8JsonWriter json, string name, IReadOnlyDictionary<string, string> texts)
    {
        json.WriteStartObject(name);
        foreach (var (key, value) in texts)
        {
            json.WriteString(key, value);
        }

        json.WriteEndObject();
    }

    private static void WriteNode(Utf8JsonWriter json, string name, JsonObject node)
    {
        json.WritePropertyName(name);
        node.WriteTo(json);
    }

    private static string Time(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);

    private static byte[] Line(string kind, long seq, Action<Utf8JsonWriter> members)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer, Plain))
        {
            json.WriteStartObject();
            json.WriteString("kind", kind);
            json.WriteNumber("seq", seq);
            members(json);
            json.WriteEndObject();
        }

        // The checksum covers the bytes before `,"crc"`: everything but the closing brace.
        var body = buffer.WrittenSpan[..^1];
        return [.. body, .. Encoding.UTF8.GetBytes($",\"crc\":\"{Crc.Text(body)}\"}}\n")];
    }
}
