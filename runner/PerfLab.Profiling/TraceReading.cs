namespace PerfLab.Profiling;

/// <summary>What came of reading a trace.</summary>
/// <param name="Problem">
/// Why it was not read to the mark that the runtime writes last: the process was killed, the disk was full, or it is no trace. What came
/// before counts, but only a whole trace proves that something did not happen. Null for a whole one.
/// </param>
/// <param name="EventsLost">Events that the runtime itself threw away because its buffer was full.</param>
/// <param name="Duration">From the start of the session to the last event.</param>
public sealed record TraceReading(string? Problem, long Events = 0, long EventsLost = 0, TimeSpan Duration = default)
{
    /// <summary>Why figures from this trace may be too low, or null.</summary>
    public string? Doubt => Problem ?? (EventsLost > 0
        ? Invariant($"the runtime threw {EventsLost} events away because its buffer was full")
        : null);
}
