using System.Text.Json.Serialization;

namespace PerfLab.Core.Files;

/// <summary>A time as we write it: 2026-03-01T14:05:09.123Z.</summary>
internal sealed class UtcTime : JsonConverter<DateTimeOffset>, IShaped
{
    public Shape Shape => new TextShape { IsTime = true, IsUtc = true };

    public override DateTimeOffset Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.GetDateTimeOffset();

    public override void Write(Utf8JsonWriter writer, DateTimeOffset value, JsonSerializerOptions options) =>
        writer.WriteStringValue(value.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture));
}
