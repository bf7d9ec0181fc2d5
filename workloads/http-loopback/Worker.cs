using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.HttpLoopback;

/// <summary>One connection's asker: its own count and histogram, read by others, written by itself alone.</summary>
internal sealed class Worker
{
    private readonly LatencyHistogram _latency = new();
    private long _done;
    private volatile bool _warmedUp;
    private bool _cleared;

    public long Done => Volatile.Read(ref _done);

    /// <summary>Latencies since the end of the warm-up; read it when the worker has stopped.</summary>
    public LatencyHistogram Latency => _latency;

    /// <summary>From the next answer on, latencies count.</summary>
    public void WarmedUp() => _warmedUp = true;

    public void Record(double seconds)
    {
        if (_warmedUp && !_cleared)
        {
            _cleared = true;
            _latency.Clear();
        }

        _latency.Record(seconds);
        Volatile.Write(ref _done, _done + 1);
    }
}
