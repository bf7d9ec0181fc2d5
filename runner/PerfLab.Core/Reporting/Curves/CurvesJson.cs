using PerfLab.Core.Files.Journal;

namespace PerfLab.Core.Reporting.Curves;

/// <summary>The curves of a session as JSON, schema perf-lab/curves/1: what a picture shows, for other programs.</summary>
public static class CurvesJson
{
    public const string Schema = "perf-lab/curves/1";

    private static readonly JsonWriterOptions Layout = new() { Indented = true, IndentSize = 2, NewLine = "\n" };

    public static string Write(string session, IReadOnlyList<Curve> curves)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer, Layout))
        {
            json.WriteStartObject();
            json.WriteString("schema", Schema);
            json.WriteString("session", session);
            json.WriteStartArray("curves");
            foreach (var curve in curves)
            {
                WriteCurve(json, curve);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(buffer.GetBuffer(), 0, (int)buffer.Length) + "\n";
    }

    private static void WriteCurve(Utf8JsonWriter json, Curve curve)
    {
        json.WriteStartObject();
        json.WriteString("name", curve.Name);
        json.WriteString("workload", curve.Workload);
        json.WriteString("metric", curve.Metric.Name);
        json.WriteString("unit", curve.Metric.Unit);
        json.WriteString("better", JournalWords.Of(JournalWords.Directions, curve.Metric.Better));
        json.WriteString("dimension", curve.Dimension);
        json.WriteBoolean("numeric", curve.IsNumeric);
        json.WriteString("reference", curve.Reference);
        json.WriteNumber("coverage", curve.Coverage);
        json.WriteStartArray("series");
        foreach (var series in curve.Series)
        {
            json.WriteStartObject();
            json.WriteString("name", series.Name);
            json.WriteStartArray("points");
            foreach (var point in series.Points)
            {
                WritePoint(json, point);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WritePoint(Utf8JsonWriter json, CurvePoint point)
    {
        json.WriteStartObject();
        if (point.Number is { } number)
        {
            json.WriteNumber("x", number);
        }
        else
        {
            json.WriteString("x", point.X);
        }

        Write(json, "value", point.Value);
        Write(json, "low", point.Low);
        Write(json, "high", point.High);
        json.WriteNumber("launches", point.Launches);
        json.WriteString("cell", point.Cell);
        json.WriteString("arm", point.Arm);
        json.WriteBoolean("isReference", point.IsReference);
        Write(json, "change", point.Compared?.Change);
        Write(json, "changeLow", point.Compared?.Low);
        Write(json, "changeHigh", point.Compared?.High);
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, string name, double? value)
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
}
