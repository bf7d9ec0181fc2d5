namespace PerfLab.Core.Files;

/// <summary>Numbers in evidence and facts, which may come from anywhere.</summary>
public static class JsonNumber
{
    /// <summary>A finite number, or null for anything else.</summary>
    public static double? Of(JsonNode? node)
    {
        if (node is not JsonValue value || value.GetValueKind() != JsonValueKind.Number)
        {
            return null;
        }

        // A value made in memory knows only its own type; one that was read knows every one that fits.
        if (value.TryGetValue<double>(out var number))
        {
            return double.IsFinite(number) ? number : null;
        }

        return value.TryGetValue<long>(out var whole) ? whole : value.TryGetValue<int>(out var small) ? small : null;
    }
}
