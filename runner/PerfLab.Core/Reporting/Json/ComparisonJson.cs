using PerfLab.Core.Files.Journal;
using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Core.Reporting.Json;

/// <summary>
/// comparison.json, written and read. The same comparison gives the same bytes under every culture, and what <see cref="Read(string)"/>
/// takes in, <see cref="Write"/> gives back byte for byte.
/// </summary>
public static class ComparisonJson
{
    public const string Schema = "perf-lab/comparison/1";

    /// <summary>The most that <see cref="Read(ReadOnlyMemory{byte})"/> looks at; a 500-cell comparison has about 0.3 MiB.</summary>
    public const int MaxBytes = 64 * 1024 * 1024;

    // The default encoder keeps the file ASCII: whatever text a warning quotes, no terminal or page can be steered by it.
    private static readonly JsonWriterOptions Layout = new() { Indented = true, IndentSize = 2, NewLine = "\n" };

    /// <summary>The file's whole text, ending in a line feed.</summary>
    /// <exception cref="ArgumentException">A value is NaN or infinite: a bug in the comparer, never a result.</exception>
    public static string Write(Comparison comparison)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer, Layout))
        {
            json.WriteStartObject();
            json.WriteString("schema", Schema);
            json.WriteString("session", comparison.Session);
            json.WriteString("plan", comparison.Plan);
            WritePolicy(json, comparison.Policy);
            WriteSummary(json, comparison.Summary);
            WriteFalseFlags(json, comparison.FalseFlags);
            json.WriteStartArray("cells");
            foreach (var metric in comparison.Cells)
            {
                WriteMetric(json, metric);
            }

            json.WriteEndArray();
            WriteStrings(json, "warnings", comparison.Warnings);
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(buffer.GetBuffer(), 0, (int)buffer.Length) + "\n";
    }

    /// <summary>Strict: unknown or repeated members, depth over 32, words outside the lists and impossible numbers are problems, all at once.</summary>
    public static ComparisonReading Read(ReadOnlyMemory<byte> utf8) => ComparisonReader.Read(utf8);

    /// <inheritdoc cref="Read(ReadOnlyMemory{byte})"/>
    public static ComparisonReading Read(string text) => Read(Encoding.UTF8.GetBytes(text));

    private static void WritePolicy(Utf8JsonWriter json, PolicyUsed used)
    {
        json.WriteStartObject("policy");
        JournalLine.WritePolicyMembers(json, used.Policy);
        json.WriteString("source", used.Source);
        json.WriteEndObject();
    }

    private static void WriteSummary(Utf8JsonWriter json, VerdictCounts counts)
    {
        json.WriteStartObject("summary");
        json.WriteNumber("regressed", counts.Regressed);
        json.WriteNumber("improved", counts.Improved);
        json.WriteNumber("unchanged", counts.Unchanged);
        json.WriteNumber("undecided", counts.Undecided);
        json.WriteNumber("tooNoisy", counts.TooNoisy);
        json.WriteNumber("identicalBuild", counts.IdenticalBuild);
        json.WriteNumber("failed", counts.Failed);
        json.WriteNumber("unavailable", counts.Unavailable);
        json.WriteEndObject();
    }

    private static void WriteFalseFlags(Utf8JsonWriter json, FalseFlags? flags)
    {
        if (flags is null)
        {
            json.WriteNull("falseFlags");
            return;
        }

        json.WriteStartObject("falseFlags");
        json.WriteNumber("flagged", flags.Flagged);
        json.WriteNumber("runs", flags.Runs);
        json.WriteNumber("low", flags.Low);
        json.WriteNumber("high", flags.High);
        json.WriteEndObject();
    }

    private static void WriteMetric(Utf8JsonWriter json, ComparedMetric metric)
    {
        json.WriteStartObject();
        json.WriteString("cell", metric.Cell);
        json.WriteString("arm", metric.Arm);
        json.WriteString("reference", metric.Reference);
        json.WriteString("metric", metric.Metric);
        json.WriteBoolean("primary", metric.Primary);
        json.WriteString("unit", metric.Unit);
        WriteNumber(json, "referenceValue", metric.ReferenceValue);
        WriteNumber(json, "armValue", metric.ArmValue);
        WriteNumber(json, "change", metric.Change);
        WriteNumber(json, "low", metric.Low);
        WriteNumber(json, "high", metric.High);
        WriteNumber(json, "pValue", metric.PValue);
        WriteNumber(json, "adjustedP", metric.AdjustedP);
        json.WriteNumber("rounds", metric.Rounds);
        json.WriteString("stage", metric.Stage is { } stage ? Words.Of(stage) : null);
        WriteNumber(json, "noise", metric.Noise);
        WriteNumber(json, "smallestDetectable", metric.SmallestDetectable);
        json.WriteString("verdict", metric.Verdict is { } verdict ? Words.Of(verdict) : null);
        if (metric.Equal is { } equal)
        {
            json.WriteBoolean("equal", equal);
        }

        WriteStrings(json, "warnings", metric.Warnings);
        json.WriteEndObject();
    }

    private static void WriteNumber(Utf8JsonWriter json, string name, double? value)
    {
        if (value is { } number)
        {
            json.WriteNumber(name, number);
        }
        else
        {
            json.WriteNull(name);
        }
    }

    private static void WriteStrings(Utf8JsonWriter json, string name, IReadOnlyList<string> values)
    {
        json.WriteStartArray(name);
        foreach (var value in values)
        {
            json.WriteStringValue(value);
        }

        json.WriteEndArray();
    }
}
