using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Tests.Files;

public enum Soil { Clay, SandyLoam }

[JsonPolymorphic(TypeDiscriminatorPropertyName = "kind")]
[JsonDerivedType(typeof(Tree), "tree")]
[JsonDerivedType(typeof(Herb), "herb")]
public abstract record Plant(string Name);

public sealed record Tree(string Name, [MoreThan(0)] double Height) : Plant(Name);

public sealed record Herb(
    string Name, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] bool? Perennial = null) : Plant(Name);

/// <summary>A type with words of its own: 5 is "5m".</summary>
public sealed class Minutes : JsonConverter<double>, IShaped
{
    public Shape Shape => new TextShape { Pattern = "^[0-9]{1,3}m$", InWords = "minutes, as in 5m" };

    public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        double.Parse(reader.GetString()![..^1], CultureInfo.InvariantCulture) is > 0 and var minutes ? minutes : throw new JsonException("must be more than 0m");

    public override void Write(Utf8JsonWriter writer, double value, JsonSerializerOptions options) =>
        writer.WriteStringValue(value.ToString(CultureInfo.InvariantCulture) + "m");
}

/// <summary>A record with a member of every kind.</summary>
[Gone("rent", "was paid to the old owner.")]
public sealed record Garden : IChecked
{
    public static FileFormat<Garden> File { get; } = new("perf-lab/garden/1", "garden.json") { MostBytes = 100_000 };

    [RegularExpression("^[a-z]{1,8}$", ErrorMessage = "a name of a-z")]
    public required string Name { get; init; }

    /// <summary>In square metres.</summary>
    [Range(1, 1000)]
    public required int Area { get; init; }
    public required Soil Soil { get; init; }
    public string? Owner { get; init; }
    public required ulong Seed { get; init; }

    [Length(1, 3)]
    public required IReadOnlyList<Plant> Plants { get; init; }

    [Keys("^[a-z]+$")]
    [AtLeast(0)]
    public required IReadOnlyDictionary<string, double> Harvest { get; init; }
    public required DateTimeOffset Planted { get; init; }

    [JsonConverter(typeof(Minutes))]
    public double? Watering { get; init; }
    public JsonObject Notes { get; init; } = [];
    public JsonElement Extra { get; init; }

    /// <summary>Derived, and so in no file.</summary>
    public bool IsLarge => Area > 500;

    public IEnumerable<Problem> Problems() => Plants.Count > Area ? [new("plants", "do not fit in")] : [];

    public const string Text =
        """
        {
          "schema": "perf-lab/garden/1",
          "name": "north",
          "area": 12,
          "soil": "sandy-loam",
          "owner": null,
          "seed": 18446744073709551615,
          "plants": [
            {
              "kind": "tree",
              "name": "apple",
              "height": 2.5
            },
            {
              "kind": "herb",
              "name": "mint",
              "perennial": true
            }
          ],
          "harvest": {
            "apple": 4.5
          },
          "planted": "2026-03-01T14:05:09+00:00",
          "watering": "5m",
          "notes": {
            "a": [
              1,
              null
            ]
          },
          "extra": "\u00E9"
        }

        """;
}
