using PerfLab.Core.Files;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Watching;

/// <summary>
/// The watchdog's note of announced maintenance, for sessions: on a machine of the lab the firewall lets only root and the watchdog ask the
/// metadata service. Rewritten at every answer with the next number, so that a reader sees that its writer lives.
/// </summary>
public sealed class ScheduledEventsNotice(string file)
{
    /// <summary>Where the watchdog's unit has a folder of its own.</summary>
    public const string DefaultFile = "/run/perf-lab-watch/scheduled-events";

    private long _number;

    /// <summary>Asks and writes each second until cancelled; a file that can't be written is said once and asking goes on.</summary>
    public async Task KeepAsync(MetadataService metadata, TimeProvider clock, Action<string> say, CancellationToken cancellationToken)
    {
        var complained = false;
        while (true)
        {
            // Whoever cancels may do so in the moment in which a wait is over.
            cancellationToken.ThrowIfCancellationRequested();
            if (await Write(await metadata.ScheduledEventsAsync(cancellationToken)) is { } problem && !complained)
            {
                complained = true;
                say($"sessions will not learn of scheduled events: {file} can't be written ({problem}); the unit needs RuntimeDirectory=perf-lab-watch");
            }

            await Task.Delay(ScheduledEventsWatch.Every, clock, cancellationToken);
        }
    }

    /// <summary>The events; null when they were unknown to the writer, or this is no such note.</summary>
    public static IReadOnlyList<string>? Parse(string text) =>
        Note.Format.Read(text).Value?.Events is { } events && events.All(words => KernelText.Line(words) is not null) ? events : null;

    private async Task<string?> Write(IReadOnlyList<string>? events)
    {
        try
        {
            var next = file + ".next";
            await File.WriteAllBytesAsync(next, Encoding.UTF8.GetBytes(Note.Format.Write(new(++_number, events))), CancellationToken.None);
            File.Move(next, file, overwrite: true);
            return null;
        }
        catch (Exception failed) when (failed is IOException or UnauthorizedAccessException)
        {
            return failed.Message;
        }
    }

    private sealed record Note(long Number, IReadOnlyList<string>? Events)
    {
        public static FileFormat<Note> Format { get; } = new("", "a note of scheduled events") { IsForeign = true, IsLine = true };
    }
}

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
