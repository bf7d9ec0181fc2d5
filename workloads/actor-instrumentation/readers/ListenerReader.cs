using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>The runtime's own listeners: the least that anybody who reads can cost.</summary>
internal sealed class ListenerReader : Reader
{
    private readonly ActivityListener? _spans;
    private readonly MeterListener? _meters;
    /// <summary>What is kept with the instrument that counts every message.</summary>
    private static readonly object Counter = new();

    private long _durations;
    private long _counts;
    private long _sum;

    public ListenerReader(Settings settings)
    {
        if (settings.Tracing)
        {
            var decision = settings.Sampled ? ActivitySamplingResult.AllDataAndRecorded : ActivitySamplingResult.None;
            _spans = new ActivityListener
            {
                ShouldListenTo = source => source.Name == Subject.Source,
                Sample = (ref ActivityCreationOptions<ActivityContext> _) => decision,
                ActivityStopped = _ => TakeSpan(),
            };
            ActivitySource.AddActivityListener(_spans);
        }

        if (settings.Metrics)
        {
            _meters = new MeterListener
            {
                InstrumentPublished = (instrument, listener) =>
                {
                    if (instrument.Meter.Name == Subject.Meter)
                    {
                        listener.EnableMeasurementEvents(instrument, instrument.Name == Subject.Counter ? Counter : null);
                    }
                },
            };
            _meters.SetMeasurementEventCallback<double>((_, _, _, _) => Interlocked.Increment(ref _durations));
            _meters.SetMeasurementEventCallback<long>((_, value, _, state) => Interlocked.Add(ref state is null ? ref _counts : ref _sum, value));
            _meters.Start();
        }
    }

    public override long Measurements
    {
        get
        {
            if (Subject.Counter is null)
            {
                return Volatile.Read(ref _durations);
            }

            // Its values are sums since the start; reading calls back for each of its tags.
            Volatile.Write(ref _sum, 0);
            _meters?.RecordObservableInstruments();
            return Volatile.Read(ref _sum);
        }
    }

    public override void Dispose()
    {
        _spans?.Dispose();
        _meters?.Dispose();
        base.Dispose();
    }
}
