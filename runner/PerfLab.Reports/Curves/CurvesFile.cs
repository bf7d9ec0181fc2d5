using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Reports.Curves;

/// <summary>curves.json: what a picture shows, for other programs.</summary>
public sealed record CurvesFile(string Session, IReadOnlyList<WrittenCurve> Curves)
{
    public static FileFormat<CurvesFile> File { get; } = new("perf-lab/curves/1", "curves.json: the curves of a sweep");

    public static string Write(string session, IReadOnlyList<Curve> curves) =>
        File.Write(new(session, [.. curves.Select(WrittenCurve.Of)]));
}

/// <summary>A curve as other programs want it.</summary>
/// <param name="Name">Of the picture and its file.</param>
/// <param name="Dimension">Along which the curve goes.</param>
/// <param name="Reference">The arm that changes are against.</param>
/// <param name="Coverage">Least coverage of the intervals.</param>
public sealed record WrittenCurve(
    [RegularExpression("^[a-z0-9-]+$")] string Name,
    string Workload,
    string Metric,
    string Unit,
    Better Better,
    string Dimension,
    bool Numeric,
    string? Reference,
    [Range(0, 1)] double Coverage,
    IReadOnlyList<WrittenSeries> Series)
{
    internal static WrittenCurve Of(Curve curve) => new(
        curve.Name, curve.Workload, curve.Metric.Name, curve.Metric.Unit, curve.Metric.Better,
        curve.Dimension, curve.IsNumeric, curve.Reference, curve.Coverage,
        [.. curve.Series.Select(series => new WrittenSeries(series.Name, [.. series.Points.Select(WrittenPoint.Of)]))]);
}

/// <param name="Name">What sets the line apart; empty when there is one.</param>
public sealed record WrittenSeries(string Name, IReadOnlyList<WrittenPoint> Points);

/// <param name="X">A number, or a word as it was written.</param>
/// <param name="Value">Median over the counted launches, in the unit.</param>
/// <param name="Low">Lower end of the median's interval.</param>
/// <param name="High">Upper end of it.</param>
/// <param name="Launches">Counted launches.</param>
/// <param name="Change">Against the reference, paired: fraction, + is worse.</param>
public sealed record WrittenPoint(
    Place X,
    double? Value,
    double? Low,
    double? High,
    [AtLeast(0)] int Launches,
    string Cell,
    string Arm,
    bool IsReference,
    [AtLeast(-1)] double? Change,
    [AtLeast(-1)] double? ChangeLow,
    [AtLeast(-1)] double? ChangeHigh)
{
    internal static WrittenPoint Of(CurvePoint point) => new(
        new(point.X, point.Number), point.Value, point.Low, point.High, point.Launches, point.Cell, point.Arm, point.IsReference,
        point.Compared?.Change, point.Compared?.Low, point.Compared?.High);
}

/// <summary>Where a point lies: a number where the dimension is one, else its word.</summary>
[JsonConverter(typeof(Converter))]
public sealed record Place(string Text, double? Number)
{
    internal sealed class Converter : JsonConverter<Place>, IShaped
    {
        public Shape Shape => new EitherShape(new NumberShape(), new TextShape());

        public override Place Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            reader.TokenType == JsonTokenType.Number ? new("", reader.GetDouble()) : new(reader.GetString()!, null);

        public override void Write(Utf8JsonWriter writer, Place value, JsonSerializerOptions options)
        {
            if (value.Number is { } number)
            {
                writer.WriteNumberValue(number);
            }
            else
            {
                writer.WriteStringValue(value.Text);
            }
        }
    }
}
