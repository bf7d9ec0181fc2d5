using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Building.Manifests;

// Members, not parameters: a converter for a constructor of four costs every start of the program more than reading the files.

/// <summary>A parameter in workload.yaml.</summary>
public sealed record ParameterEntry : IChecked
{
    /// <summary>The value when none is named.</summary>
    public required Scalar Default { get; init; }

    /// <summary>Closed list of values.</summary>
    public IReadOnlyList<Scalar> Values { get; init; } = [];
    public double? Min { get; init; }
    public double? Max { get; init; }

    public IEnumerable<Problem> Problems()
    {
        if (Min > Max)
        {
            yield return new("min", "must not be above max");
            yield break;
        }

        foreach (var value in Min is null && Max is null ? [] : Values.Prepend(Default).Select(value => value.Text))
        {
            if (!double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) || !(number >= (Min ?? number)) || number > Max)
            {
                yield return new("default", $"must be a number from min to max, like all values, is '{value}'");
                yield break;
            }
        }
    }

    internal ParameterDefinition ToDefinition(string name) => new()
    {
        Name = name,
        Default = Default.Text,
        Type = long.TryParse(Default.Text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out _) ? ParameterType.Integer
            : double.TryParse(Default.Text, NumberStyles.Float, CultureInfo.InvariantCulture, out _) ? ParameterType.Number
            : ParameterType.Text,
        Values = [.. Values.Select(value => value.Text)],
        Min = Min,
        Max = Max,
    };
}

/// <summary>A metric in workload.yaml.</summary>
public sealed record MetricEntry
{
    /// <summary>Unit of the values, e.g. s, doc/s, B/doc.</summary>
    [MinLength(1)]
    public required string Unit { get; init; }

    /// <summary>Which direction is good.</summary>
    public required Better Better { get; init; }

    /// <summary>The one metric of a mode that gets a verdict.</summary>
    public bool Primary { get; init; }

    /// <summary>exact: compared for equality, no test.</summary>
    public MetricKind Kind { get; init; }
}

/// <summary>The `launch` of workload.yaml.</summary>
public sealed record LaunchEntry
{
    /// <summary>Before anything is measured, e.g. 2s.</summary>
    public Duration WarmUp { get; init; } = new("0s");

    /// <summary>Measured time, e.g. 3s.</summary>
    public Duration Measure { get; init; } = new("0s");

    /// <summary>After this the launch is killed.</summary>
    public Duration Timeout { get; init; } = new("60s");
}

/// <summary>The `resources` of workload.yaml.</summary>
public sealed record ResourcesEntry
{
    /// <summary>Whole cores.</summary>
    [AtLeast(1)]
    public int Cpus { get; init; } = 2;

    /// <summary>Hard limit, swap included, e.g. 512MiB or 2GiB.</summary>
    public MemorySize Memory { get; init; } = new("2GiB");

    /// <summary>Most processes and threads at once.</summary>
    [AtLeast(1)]
    public int Pids { get; init; } = 512;

    /// <summary>Loopback is always there.</summary>
    [AllowedValues("none")]
    [RegularExpression("^none$", ErrorMessage = "none: nothing else is offered, and loopback is always there")]
    public string Network { get; init; } = "none";
}

/// <summary>
/// A mode in workload.yaml: `default`, or the names of the metrics that it yields (without names it yields all), and whether its load is
/// an open loop.
/// </summary>
[JsonConverter(typeof(Converter))]
public sealed record ModeEntry(bool IsDefault, IReadOnlyList<string> Metrics, bool IsOpenLoop = false)
{
    private const string OpenLoop = "open-loop";

    private sealed class Converter : JsonConverter<ModeEntry>, IShaped
    {
        public Shape Shape => new EitherShape(
            new TextShape { Words = ["default"] }, new ObjectShape
            {
                Members =
                [
                    new("metrics", new ListShape(new TextShape()), IsRequired: false), new(OpenLoop, new FlagShape(), IsRequired: false),
                ],
            });

        public override ModeEntry Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            if (reader.TokenType == JsonTokenType.String)
            {
                return new(IsDefault: true, []);
            }

            var said = JsonNode.Parse(ref reader)!;
            string[] metrics = [.. (said["metrics"]?.AsArray() ?? []).Select(name => (string)name!)];
            return new(IsDefault: false, metrics, said[OpenLoop]?.GetValue<bool>() ?? false);
        }

        public override void Write(Utf8JsonWriter writer, ModeEntry value, JsonSerializerOptions options) =>
            (value.IsDefault ? (JsonNode)"default" : Names(value)).WriteTo(writer);

        private static JsonObject Names(ModeEntry mode)
        {
            var names = new JsonObject { ["metrics"] = new JsonArray([.. mode.Metrics.Select(name => (JsonNode)name)]) };
            if (mode.IsOpenLoop)
            {
                names[OpenLoop] = true;
            }

            return names;
        }
    }
}
