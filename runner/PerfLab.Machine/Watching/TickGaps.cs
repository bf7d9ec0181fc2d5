namespace PerfLab.Machine.Watching;

/// <summary>The longest time between two ticks of a clock that should never stand still; for several threads.</summary>
/// <param name="time">Only its monotonic clock is read.</param>
public sealed class TickGaps(TimeProvider time)
{
    private readonly Lock _lock = new();
    private long _last = time.GetTimestamp();
    private TimeSpan _longest;

    public void Tick()
    {
        lock (_lock)
        {
            var now = time.GetTimestamp();
            var gap = time.GetElapsedTime(_last, now);
            (_last, _longest) = (now, gap > _longest ? gap : _longest);
        }
    }

    /// <summary>The longest gap since the last call. One that has not ended yet counts as it is now: whoever asks may wake before the ticker does.</summary>
    public TimeSpan TakeLongest()
    {
        lock (_lock)
        {
            var open = time.GetElapsedTime(_last);
            var longest = open > _longest ? open : _longest;
            _longest = TimeSpan.Zero;
            return longest;
        }
    }
}
