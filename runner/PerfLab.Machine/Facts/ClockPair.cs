namespace PerfLab.Machine.Facts;

/// <summary>Both clocks, the time of day and the time that only goes on, at nearly the same moment; how they part shows a step, a pause of the machine, a migration.</summary>
public sealed record ClockPair(DateTimeOffset Wall, TimeSpan Monotonic)
{
    private const int Tries = 3;

    /// <summary>Grows when the wall clock is set forward, or the machine slept.</summary>
    public double OffsetSeconds => (Wall - DateTimeOffset.UnixEpoch - Monotonic).TotalSeconds;

    /// <summary>The closest of three tries: being interrupted between the two readings must not look like a step.</summary>
    public static ClockPair Read(TimeProvider time)
    {
        ClockPair? best = null;
        var closest = TimeSpan.MaxValue;
        for (var i = 0; i < Tries; i++)
        {
            var before = time.GetTimestamp();
            var wall = time.GetUtcNow();
            var after = time.GetTimestamp();
            var gap = time.GetElapsedTime(before, after);
            if (best is null || gap < closest)
            {
                (closest, best) = (gap, new ClockPair(wall, time.GetElapsedTime(0, before) + (gap / 2)));
            }
        }

        return best!;
    }
}
