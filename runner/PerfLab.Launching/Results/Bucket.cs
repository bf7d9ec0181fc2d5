using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Launching.Results;

/// <summary>How often a value was in the bucket of this number: [1200, 5].</summary>
[JsonConverter(typeof(Converter))]
internal sealed record Bucket(long Place, long Count)
{
    internal sealed class Converter : JsonConverter<Bucket>, IShaped
    {
        // Up to 2^53: what a reader in any language takes for the same number.
        public Shape Shape => new ListShape(new NumberShape(value => value.TryGetInt64(out _)) { Least = 0, Most = 1L << 53 }) { LeastCount = 2, MostCount = 2 };

        public override Bucket Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            JsonSerializer.Deserialize<long[]>(ref reader, options) is [var place, >= 1 and var count] ? new(place, count)
            : throw new JsonException("must be a bucket and how many were in it, 1 or more");

        public override void Write(Utf8JsonWriter writer, Bucket value, JsonSerializerOptions options) =>
            JsonSerializer.Serialize(writer, new[] { value.Place, value.Count }, options);
    }
}
