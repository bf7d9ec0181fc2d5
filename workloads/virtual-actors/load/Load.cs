using System.Diagnostics;
using System.Threading.Channels;
using PerfLab.WorkloadKit;
using PerfLab.Workloads.HttpLoopback;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>One message.</summary>
/// <param name="Actor">To whom.</param>
/// <param name="Name">What it says; null: only be there.</param>
/// <param name="Expected">What must come back.</param>
internal readonly record struct Message(string Actor, string? Name, string Expected)
{
    /// <summary>Brings an actor to life.</summary>
    public static Message Activate(string actor) => new(actor, null, Greeter.Expected(null));
}

/// <summary>The two ways to send: when the answer to the last message came, or by a schedule that waits for nothing.</summary>
/// <param name="next">The next message of a worker, by its number.</param>
internal sealed class Load(IActorClient actors, IReadOnlyList<Worker> workers, Func<int, Message> next) : IDisposable
{
    private readonly CancellationTokenSource _stop = new();

    /// <summary>Measures what is being sent, ends it, and says what came of it.</summary>
    /// <param name="launch">Warms up and measures.</param>
    /// <param name="sending">Under way: one of the loops below.</param>
    /// <param name="warmedUp">Called when measuring begins.</param>
    public LoadFigures Watch(Launch launch, Task sending, Action warmedUp)
    {
        var processor = 0.0;
        var windows = launch.Watch(() => workers.Sum(worker => worker.Done), () =>
        {
            warmedUp();
            foreach (var worker in workers)
            {
                worker.WarmedUp();
            }

            processor = LoadFigures.ProcessorSeconds(actors);
        });
        processor = LoadFigures.ProcessorSeconds(actors) - processor;
        Stop();
        sending.GetAwaiter().GetResult();
        return LoadFigures.Of(workers, windows.Count, windows.Seconds, processor);
    }

    /// <summary>
    /// Closed loop: one message in flight for each worker, latency from when it was really sent. A stall hides the messages that would
    /// have been sent meanwhile.
    /// </summary>
    public Task ClosedLoopAsync() => EachAsync(async (worker, number) =>
    {
        while (!_stop.IsCancellationRequested)
        {
            await worker.SendAsync(actors, next(number), Stopwatch.GetTimestamp());
        }
    });

    /// <summary>
    /// Open loop: messages are due at fixed times, and latency counts from then, whoever was busy. A stall is seen by every message that
    /// it delays.
    /// </summary>
    public Task OpenLoopAsync(double perSecond)
    {
        var due = Channel.CreateUnbounded<long>(new UnboundedChannelOptions { SingleWriter = true });
        new Thread(() => Pacer.Run(perSecond, due.Writer, _stop.Token)) { IsBackground = true, Name = "pacer" }.Start();
        return EachAsync(async (worker, number) =>
        {
            await foreach (var start in due.Reader.ReadAllAsync())
            {
                await worker.SendAsync(actors, next(number), start);
                if (_stop.IsCancellationRequested)
                {
                    return;
                }
            }
        });
    }

    /// <summary>Closed loop, until each of these was brought to life.</summary>
    public Task AllAsync(IReadOnlyList<string> names)
    {
        var taken = -1;
        return EachAsync(async (worker, _) =>
        {
            while (Interlocked.Increment(ref taken) is var number && number < names.Count)
            {
                await worker.SendAsync(actors, Message.Activate(names[number]), Stopwatch.GetTimestamp());
            }
        });
    }

    public void Stop() => _stop.Cancel();

    public void Dispose() => _stop.Dispose();

    private Task EachAsync(Func<Worker, int, Task> work) => Task.WhenAll(workers.Select((worker, number) => Task.Run(() => work(worker, number))));
}
