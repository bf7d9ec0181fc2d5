namespace PerfLab.Launching.Proof.Traces;

/// <summary>What came of reading a trace. Only <see cref="Whole"/> proves that something did not happen.</summary>
public enum TraceEnd
{
    /// <summary>Read to the mark that the runtime writes last.</summary>
    Whole,

    /// <summary>There is no file: the runtime writes none, and says nothing, when the folder is missing or read-only.</summary>
    Missing,
    Empty,

    /// <summary>Something else, or a version of the format that this reader does not know.</summary>
    Foreign,

    /// <summary>It stops in the middle: the process was killed, or the disk was full. What came before counts.</summary>
    Truncated,

    /// <summary>It can't be what a runtime wrote from some byte on. What came before counts.</summary>
    Damaged,
}

/// <summary>How far a trace could be read, and what is known to be missing from it.</summary>
/// <param name="Problem">The end as a sentence; null when whole.</param>
/// <param name="EventsLost">Events that the runtime itself threw away because its buffer was full.</param>
/// <param name="Duration">From the start of the session to the last event.</param>
public sealed record TraceReading(TraceEnd End, string? Problem, long Bytes, long Events, long EventsLost, TimeSpan Duration)
{
    /// <summary>Why figures from this trace may be too low, or null.</summary>
    public string? Doubt => Problem ?? (EventsLost > 0
        ? Invariant($"the runtime threw {EventsLost} events away because its buffer was full")
        : null);
}

/// <summary>One event of a trace; valid only while it is handled.</summary>
internal readonly ref struct TraceEvent
{
    public required TraceEventKind Kind { get; init; }
    public required long ThreadId { get; init; }

    /// <summary>Since the start of the session.</summary>
    public required double Milliseconds { get; init; }
    public required ReadOnlySpan<byte> Payload { get; init; }
}

/// <summary>What an event is, as the trace itself declares it.</summary>
internal sealed record TraceEventKind(string Provider, int Id, int Version);

internal delegate void TraceEventHandler(scoped in TraceEvent traceEvent);
