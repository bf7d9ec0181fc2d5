using System.Text.Json.Serialization;

namespace PerfLab.Core.Files;

/// <summary>Objects of which most are empty: all of those are one and the same, which nobody may change.</summary>
internal sealed class SharedObject : JsonConverter<JsonObject>
{
    private readonly JsonObject _empty = [];

    public override JsonObject Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        var after = reader;
        if (after.Read() && after.TokenType == JsonTokenType.EndObject)
        {
            reader = after;
            return _empty;
        }

        return JsonObject.Create(JsonElement.ParseValue(ref reader))!;
    }

    public override void Write(Utf8JsonWriter writer, JsonObject value, JsonSerializerOptions options) => value.WriteTo(writer, options);
}
