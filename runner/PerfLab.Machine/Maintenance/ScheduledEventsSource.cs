using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Maintenance;

/// <summary>What a session asks: the watchdog's note where there is one, otherwise the service itself.</summary>
internal sealed class ScheduledEventsSource(MachineFiles files, MetadataService metadata, TimeProvider clock)
{
    /// <summary>A note that stays the same for so long has lost its writer.</summary>
    public static readonly TimeSpan Stale = TimeSpan.FromSeconds(10);

    private string? _text;
    private long _changed;

    /// <summary>Null when nobody can say.</summary>
    public async Task<IReadOnlyList<string>?> AskAsync(CancellationToken cancellationToken)
    {
        if (files.Text(ScheduledEventsNotice.DefaultFile) is not { } text)
        {
            return await metadata.ScheduledEventsAsync(cancellationToken);
        }

        if (text != _text)
        {
            (_text, _changed) = (text, clock.GetTimestamp());
        }

        return clock.GetElapsedTime(_changed) > Stale ? null : ScheduledEventsNotice.Parse(text);
    }
}
