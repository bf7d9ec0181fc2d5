namespace PerfLab.Machine.Maintenance;

/// <summary>
/// Maintenance that Azure has announced for this machine or has begun
/// (https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events). Already in the minutes before a live migration a machine is slower.
/// </summary>
internal static class ScheduledEvents
{
    private const int Most = 16;
    private const int MostText = 80;

    private static readonly string[] Types = ["Freeze", "Reboot", "Redeploy", "Preempt", "Terminate"];
    private static readonly string[] Statuses = ["Scheduled", "Started"];

    /// <summary>One sentence an event ("Freeze, Started"), sorted; null when this is no such document.</summary>
    /// <param name="document">What the service answered; hostile for all we know.</param>
    /// <param name="machine">Name of this machine: the service also tells of others in its set. Null counts every event as ours.</param>
    public static IReadOnlyList<string>? Of(JsonObject? document, string? machine)
    {
        if (document?["Events"] is not JsonArray events || events.Any(item => item is not JsonObject))
        {
            return null;
        }

        return
        [
            .. events.Cast<JsonObject>().Where(item => IsFor(item, machine)).Select(Words).OfType<string>()
                .Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal).Take(Most),
        ];
    }

    private static bool IsFor(JsonObject item, string? machine) => machine is null || item["Resources"] is not JsonArray resources
        || resources.Any(resource => string.Equals(Text(resource), machine, StringComparison.OrdinalIgnoreCase));

    private static string? Words(JsonObject item) =>
        Text(item["EventType"]) is { } type && Types.Contains(type, StringComparer.Ordinal) && Text(item["EventStatus"]) is { } status && Statuses.Contains(status, StringComparer.Ordinal)
            ? Text(item["NotBefore"]) is { Length: > 0 and <= MostText } time && !time.Any(char.IsControl) ? $"{type}, {status}, not before {time}" : $"{type}, {status}"
            : null;

    private static string? Text(JsonNode? node) => node is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;
}
