using PerfLab.Machine.Kernel;

namespace PerfLab.Machine.Watching;

/// <summary>
/// A thread on the lab's cores that does nothing but sleep and look at the clock: when it oversleeps, the machine was paused, migrated, or
/// starved of processor time by its host, even where the host never says so (Azure pauses a machine for maintenance and reports no steal).
/// As jHiccup does for a JVM (https://github.com/giltene/jHiccup).
/// </summary>
public sealed class PauseWatch : IDisposable
{
    /// <summary>
    /// Half of what the hygiene table calls a pause: one that long is always seen, and one of a tick or less never is taken for it.
    /// Not shorter, because waking a thread on a virtual machine costs about 50 µs.
    /// </summary>
    public static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(25);

    private readonly Thread _thread;
    private volatile bool _stopped;

    /// <param name="cpus">Cores for everything but workloads; null where nobody split the machine: then it runs where the kernel likes.</param>
    public PauseWatch(TimeProvider time, IReadOnlyList<int>? cpus)
    {
        Gaps = new TickGaps(time);
        _thread = new Thread(() => Run(cpus)) { IsBackground = true, Name = "pause watch" };
        _thread.Start();
    }

    public TickGaps Gaps { get; }

    /// <summary>Waits for the thread's last tick.</summary>
    public void Dispose()
    {
        _stopped = true;
        _thread.Join();
    }

    private void Run(IReadOnlyList<int>? cpus)
    {
        if (cpus is not null)
        {
            // A wish: inside a cpuset that knows better it stays where it is.
            _ = CpuAffinity.PinThisThread(cpus);
        }

        while (!_stopped)
        {
            Thread.Sleep(Tick);
            Gaps.Tick();
        }
    }
}

/// <summary>The longest time between two ticks of a clock that should never stand still; for several threads.</summary>
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
