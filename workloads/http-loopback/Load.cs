using System.Diagnostics;
using System.Threading.Channels;

namespace PerfLab.Workloads.HttpLoopback;

/// <summary>The two ways to ask: as fast as answers come, or by a schedule that does not wait for answers.</summary>
internal sealed class Load(Client client, IReadOnlyList<Worker> workers) : IDisposable
{
    private readonly CancellationTokenSource _stop = new();

    /// <summary>Closed loop: every connection asks again when it has its answer; latency from the actual start of the request.</summary>
    public Task ClosedLoopAsync() => Task.WhenAll(workers.Select(worker => Task.Run(async () =>
    {
        while (!_stop.IsCancellationRequested)
        {
            var start = Stopwatch.GetTimestamp();
            await client.AskAsync();
            worker.Record(SecondsSince(start));
        }
    })));

    /// <summary>
    /// Open loop: requests are due at fixed times, and latency counts from the time a request was due, not from when a connection got
    /// round to it. A stall is seen by every request that it delays (coordinated omission is what closed loops suffer from).
    /// </summary>
    public Task PacedAsync(double perSecond)
    {
        var due = Channel.CreateUnbounded<long>(new UnboundedChannelOptions { SingleWriter = true, AllowSynchronousContinuations = false });
        var pacer = new Thread(() => Pacer.Run(perSecond, due.Writer, _stop.Token)) { IsBackground = true, Name = "pacer" };
        pacer.Start();
        return Task.WhenAll(workers.Select(worker => Task.Run(async () =>
        {
            await foreach (var start in due.Reader.ReadAllAsync())
            {
                await client.AskAsync();
                worker.Record(SecondsSince(start));
                if (_stop.IsCancellationRequested)
                {
                    return;
                }
            }
        })));
    }

    // Stopwatch.GetElapsedTime came with .NET 7.
    private static double SecondsSince(long start) => (Stopwatch.GetTimestamp() - start) / (double)Stopwatch.Frequency;

    public void Stop() => _stop.Cancel();

    public void Dispose() => _stop.Dispose();
}
