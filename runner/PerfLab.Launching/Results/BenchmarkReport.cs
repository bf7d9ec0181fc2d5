using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Launching.Results;

/// <summary>
/// BenchmarkDotNet's full JSON report, as far as it is used; the same from 0.13 to 0.16
/// (https://github.com/dotnet/BenchmarkDotNet/blob/v0.14.0/src/BenchmarkDotNet/Exporters/Json/JsonExporterBase.cs). It may come from
/// anywhere: what is missing, or is no number, is absent, and who needs it says so.
/// </summary>
/// <param name="Title">"My.Parsing-20261122-131500".</param>
public sealed record BenchmarkReport(string? Title = null, ReportedHost? HostEnvironmentInfo = null,
    IReadOnlyList<ReportedBenchmark>? Benchmarks = null)
{
    /// <summary>A report of 10,000 benchmarks with all their measurements.</summary>
    public static FileFormat<BenchmarkReport> File { get; } =
        new("", "a report of BenchmarkDotNet") { IsForeign = true, Names = null, MostBytes = 256 << 20 };
}

/// <summary>What BenchmarkDotNet saw of the machine.</summary>
public sealed record ReportedHost(
    string? BenchmarkDotNetVersion = null, string? OsVersion = null, string? ProcessorName = null, string? RuntimeVersion = null,
        string? Architecture = null);

/// <summary>One benchmark under one job.</summary>
/// <param name="FullName">"Namespace.Type.Method(parameter: value)".</param>
/// <param name="DisplayInfo">The same with the job.</param>
/// <param name="Statistics">Absent when it could not be measured.</param>
/// <param name="Memory">Absent without the memory diagnoser.</param>
public sealed record ReportedBenchmark(
    string? FullName = null,
    string? DisplayInfo = null,
    ReportedStatistics? Statistics = null,
    ReportedMemory? Memory = null,
    IReadOnlyList<ReportedMeasurement>? Measurements = null);

/// <summary>Over the iterations that count, in nanoseconds per operation.</summary>
/// <param name="N">Iterations, without the outliers.</param>
public sealed record ReportedStatistics(
    ReportedNumber? N = null,
    ReportedNumber? Mean = null,
    ReportedNumber? Median = null,
    ReportedNumber? StandardError = null,
    ReportedNumber? StandardDeviation = null,
    ReportedInterval? ConfidenceInterval = null);

/// <summary>BenchmarkDotNet's column "Error" is the margin: half of the 99.9 % interval of the mean.</summary>
public sealed record ReportedInterval(ReportedNumber? Margin = null);

/// <summary>From one more iteration, which is not timed.</summary>
public sealed record ReportedMemory(
    ReportedNumber? Gen0Collections = null,
    ReportedNumber? Gen1Collections = null,
    ReportedNumber? Gen2Collections = null,
    ReportedNumber? TotalOperations = null,
    ReportedNumber? BytesAllocatedPerOperation = null);

/// <summary>One iteration.</summary>
/// <param name="IterationMode">"Workload" or "Overhead".</param>
/// <param name="IterationStage">"Jitting", "Pilot", "Warmup", "Actual", "Result".</param>
/// <param name="LaunchIndex">The process that it is of, from 1 (from 0 in process).</param>
public sealed record ReportedMeasurement(
    string? IterationMode = null, string? IterationStage = null, ReportedNumber? LaunchIndex = null, ReportedNumber? Operations = null,
        ReportedNumber? Nanoseconds = null);

/// <summary>A number, or what BenchmarkDotNet writes where there is none: an empty text for NaN.</summary>
[JsonConverter(typeof(Converter))]
public sealed record ReportedNumber(double? Value)
{
    private sealed class Converter : JsonConverter<ReportedNumber>, IShaped
    {
        public Shape Shape => new EitherShape(new NumberShape(), new TextShape());

        public override ReportedNumber Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            new(reader.TokenType == JsonTokenType.Number ? reader.GetDouble() : null);

        public override void Write(Utf8JsonWriter writer, ReportedNumber value, JsonSerializerOptions options)
        {
            if (value.Value is { } number)
            {
                writer.WriteNumberValue(number);
            }
            else
            {
                writer.WriteStringValue("");
            }
        }
    }
}
