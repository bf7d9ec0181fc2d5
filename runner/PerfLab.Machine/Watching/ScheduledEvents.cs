using PerfLab.Core.Files;

namespace PerfLab.Machine.Watching;

/// <summary>
/// Maintenance that Azure has announced for this machine or has begun
/// (https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events). Already in the minutes before a live migration a machine is slower.
/// </summary>
internal sealed record ScheduledEvents(IReadOnlyList<ScheduledEvent> Events)
{
    private const int Most = 16;

    public static FileFormat<ScheduledEvents> Format { get; } = new("", "scheduled events of Azure") { IsForeign = true, Names = null };

    /// <summary>One sentence an event ("Freeze, Started"), sorted.</summary>
    /// <param name="machine">Name of this machine: the service also tells of others in its set. Null counts every event as ours.</param>
    public IReadOnlyList<string> Of(string? machine) =>
    [
        .. Events.Where(item => machine is null || item.Resources?.Contains(machine, StringComparer.OrdinalIgnoreCase) != false)
            .Select(item => item.Words).OfType<string>().Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal).Take(Most),
    ];
}

internal sealed record ScheduledEvent(string EventType, string EventStatus, string? NotBefore = null, IReadOnlyList<string>? Resources = null)
{
    private const int MostText = 80;

    private static readonly string[] Types = ["Freeze", "Reboot", "Redeploy", "Preempt", "Terminate"];
    private static readonly string[] Statuses = ["Scheduled", "Started"];

    /// <summary>Null for one that is of no kind that we know, or that is over.</summary>
    public string? Words => !Types.Contains(EventType, StringComparer.Ordinal) || !Statuses.Contains(EventStatus, StringComparer.Ordinal) ? null
        : NotBefore is { Length: > 0 and <= MostText } time && !time.Any(char.IsControl) ? $"{EventType}, {EventStatus}, not before {time}"
        : $"{EventType}, {EventStatus}";
}
