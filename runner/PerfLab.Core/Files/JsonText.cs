namespace PerfLab.Core.Files;

/// <summary>Texts in evidence, facts and answers, which may come from anywhere. Untrusted.</summary>
public static class JsonText
{
    /// <summary>A text, or null for anything else.</summary>
    public static string? Of(JsonNode? node) => node is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;
}
