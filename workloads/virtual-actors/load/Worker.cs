using System.Diagnostics;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>One of the senders of a client: its own count and histogram, read by others, written by itself alone.</summary>
internal sealed class Worker
{
    private readonly LatencyHistogram _latency = new();
    private long _done;
    private volatile bool _warmedUp;
    private bool _cleared;

    public long Done => Volatile.Read(ref _done);

    /// <summary>Latencies since the end of the warm-up; read when it has stopped.</summary>
    public LatencyHistogram Latency => _latency;

    /// <summary>Their sum in seconds.</summary>
    public double Seconds { get; private set; }

    /// <summary>Answers that were wrong or did not come, from the start on.</summary>
    public long Errors { get; private set; }

    /// <summary>What the first of them was.</summary>
    public string? FirstError { get; private set; }

    /// <summary>From the next message on, latencies count.</summary>
    public void WarmedUp() => _warmedUp = true;

    /// <summary>Sends one message; latency counts from <paramref name="start"/>, which may lie in the past.</summary>
    public async Task SendAsync(IActorClient actors, Message message, long start)
    {
        try
        {
            var answer = await actors.PingAsync(message.Actor, message.Name);
            if (answer != message.Expected)
            {
                Wrong($"{message.Actor} answered '{answer}', not '{message.Expected}'");
            }
        }
        catch (Exception failure)
        {
            // A failed message is one of the things that are measured: it is counted, and the launch fails by it in the end.
            Wrong($"{message.Actor}: {failure.GetType().Name}: {failure.Message}");
        }

        if (_warmedUp && !_cleared)
        {
            _cleared = true;
            _latency.Clear();
            Seconds = 0;
        }

        var seconds = (Stopwatch.GetTimestamp() - start) / (double)Stopwatch.Frequency;
        _latency.Record(seconds);
        Seconds += seconds;
        Volatile.Write(ref _done, _done + 1);
    }

    private void Wrong(string what)
    {
        Errors++;
        FirstError ??= what;
    }
}
