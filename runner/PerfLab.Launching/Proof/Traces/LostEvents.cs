namespace PerfLab.Launching.Proof.Traces;

/// <summary>
/// Counts what the runtime threw away. Every thread numbers its events, the dropped ones too, so that a gap is what was lost; sequence points
/// repeat the numbers for threads that had nothing more to say.
/// </summary>
internal sealed class LostEvents
{
    /// <summary>More threads than a machine can have: only a hostile trace names them.</summary>
    private const int MostThreads = 1 << 20;

    private readonly Dictionary<long, uint> _last = [];

    public long Count { get; private set; }

    /// <summary>False when the trace names an impossible number of threads.</summary>
    public bool Saw(long thread, uint sequence) => Compare(thread, unchecked(sequence - 1), sequence);

    /// <inheritdoc cref="Saw"/>
    public bool Checkpoint(long thread, uint sequence) => Compare(thread, sequence, sequence);

    private bool Compare(long thread, uint expected, uint last)
    {
        // A number that goes back is a thread id that was given out again.
        if (_last.TryGetValue(thread, out var seen) && unchecked((int)(expected - seen)) is > 0 and var lost)
        {
            Count += lost;
        }

        _last[thread] = last;
        return _last.Count <= MostThreads;
    }
}
