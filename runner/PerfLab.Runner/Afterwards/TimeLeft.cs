using PerfLab.Core.Model;

namespace PerfLab.Runner.Afterwards;

/// <summary>How long the rest of something takes that consists of rounds, by how long those before took.</summary>
internal sealed class TimeLeft(TimeProvider clock, int rounds)
{
    private readonly long _start = clock.GetTimestamp();
    private int _done;

    /// <summary>", about 2 min left"; empty as long as nobody knows.</summary>
    public string InWords => _done == 0 ? ""
        : $", about {RoughTime.Of(clock.GetElapsedTime(_start).TotalSeconds / _done * (rounds - _done))} left";

    public void DoneOne() => _done++;

    /// <summary>So many are over, also those that were given up.</summary>
    public void DoneUntil(int done) => _done = done;
}
