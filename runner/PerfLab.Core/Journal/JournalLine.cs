using System.Text.Json.Serialization.Metadata;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Core.Journal;

/// <summary>The records of samples.ndjson as bytes: one JSON object a line, closed by its checksum.</summary>
public static class JournalLine
{
    /// <summary>,"crc":"xxxxxxxx"} closes every line; the checksum covers the bytes before.</summary>
    internal const int Tail = 18;

    public static FileFormat<JournalRecord> File { get; } =
        new("perf-lab/samples/1", "samples.ndjson: one record, which is one line") { IsLine = true, MayBeAbsent = MayBeAbsent };

    public static byte[] Of(long seq, JournalRecord record)
    {
        var line = Encoding.UTF8.GetBytes(File.Write(record with { Seq = seq }));
        Encoding.ASCII.GetBytes(Crc.Text(line.AsSpan()[..^(Tail + 1)]), line.AsSpan()[^11..^3]);
        return line;
    }

    private static Func<object?, bool>? MayBeAbsent(JsonPropertyInfo member) => (member.DeclaringType.Name, member.Name) switch
    {
        // The first journals had none.
        (nameof(Launch) or nameof(VoidedRound), "attempt") => _ => true,
        (nameof(Launch), "metrics") => metrics => ((IReadOnlyDictionary<string, double>)metrics!).Count > 0,
        (nameof(Metric), "kind") => kind => kind is MetricKind.Exact,
        (nameof(Policy), "stop-early") => stops => stops is true,
        // A journal may be made elsewhere: what is left out has its default.
        (nameof(Policy), "repeats") => repeats => repeats is not 0,
        (nameof(Policy), "within") => minutes => minutes is not 0.0,
        (nameof(Metric), "primary") or (nameof(Policy), _) => _ => true,
        _ => null,
    };
}
