namespace PerfLab.Runner.Tests.Azure;

/// <summary>
/// Time that passes only when everyone who acts waits for it. A test of a month takes seconds, and is the same every time.
/// </summary>
public sealed class FakeTimeProvider(DateTimeOffset start) : TimeProvider
{
    private readonly object gate = new();
    private readonly PriorityQueue<FakeTimer, (long Due, long Order)> timers = new();
    private DateTimeOffset now = start;
    private long order;
    private int waiting;

    public static FakeTimeProvider AtTheStart() => new(new DateTimeOffset(2026, 11, 2, 8, 0, 0, TimeSpan.Zero));

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow()
    {
        lock (gate)
        {
            return now;
        }
    }

    public override long GetTimestamp() => GetUtcNow().UtcTicks;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new FakeTimer(this, () => callback(state));
        lock (gate)
        {
            if (dueTime >= TimeSpan.Zero)
            {
                timers.Enqueue(timer, ((now + dueTime).UtcTicks, order++));
                waiting++;
            }

            Monitor.PulseAll(gate);
        }

        return timer;
    }

    public void Advance(TimeSpan by)
    {
        lock (gate)
        {
            now += by;
        }
    }

    public async Task<T> RunAsync<T>(Func<Task<T>> work)
    {
        var task = Task.Run(work);
        await RunAsync([task]);
        return await task;
    }

    public Task RunAsync(Func<Task> work) => RunAsync<bool>(async () =>
    {
        await work();
        return true;
    });

    /// <summary>Runs until all have ended; only one of them acts at any moment, because a timer fires when all others wait for theirs.</summary>
    public Task RunAsync(IReadOnlyList<Task> actors) => Task.Run(() =>
    {
        foreach (var actor in actors)
        {
            _ = actor.ContinueWith(_ => Wake(), TaskScheduler.Default);
        }

        while (actors.Any(actor => !actor.IsCompleted))
        {
            FireWhenQuiet(() => actors.Count(actor => !actor.IsCompleted));
        }
    });

    private void FireWhenQuiet(Func<int> active)
    {
        FakeTimer? timer;
        lock (gate)
        {
            if (active() is var acting && (acting == 0 || waiting < acting))
            {
                Monitor.Wait(gate, millisecondsTimeout: 20);
                return;
            }

            do
            {
                timers.TryDequeue(out timer, out var due);
                if (timer is { Dead: false })
                {
                    now = new DateTimeOffset(Math.Max(now.UtcTicks, due.Due), TimeSpan.Zero);
                }
            }
            while (timer is { Dead: true });
            waiting--;
            timer!.Dead = true;
        }

        timer.Fire();
    }

    private void Wake()
    {
        lock (gate)
        {
            Monitor.PulseAll(gate);
        }
    }

    private sealed class FakeTimer(FakeTimeProvider clock, Action fire) : ITimer
    {
        public bool Dead { get; set; }

        public void Fire() => fire();

        public bool Change(TimeSpan dueTime, TimeSpan period) => false;

        public void Dispose()
        {
            lock (clock.gate)
            {
                if (!Dead)
                {
                    Dead = true;
                    clock.waiting--;
                }
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
