namespace PerfLab.Runner.Flow;

/// <summary>The machine on one line of a report: model, cores, kernel. What is unknown is left out.</summary>
internal static class MachineLine
{
    public static string? Of(JsonObject machine)
    {
        var cpu = machine["cpu"] as JsonObject;
        var parts = new[]
        {
            Text(cpu?["model"]),
            Text(cpu?["online"]) is { } online ? $"CPUs {online}" : null,
            Text(machine["kernel"]) is { } kernel ? string.Join(' ', kernel.Split(' ').Take(3)) : null,
        };
        return parts.All(part => part is null) ? null : string.Join(", ", parts.Where(part => part is not null));
    }

    private static string? Text(JsonNode? node) =>
        node is JsonValue value && value.TryGetValue<string>(out var text) && text is not ("unknown" or "absent") ? text : null;
}
