using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>The runtime's own listeners: the least that anybody who reads can cost.</summary>
internal sealed class ListenerReader : Reader
{
    private readonly ActivityListener? _spans;
    private readonly MeterListener? _meters;
    private long _durations;
    private long _counts;

    public ListenerReader(Settings settings)
    {
        if (settings.Tracing)
        {
            var decision = settings.Sampled ? ActivitySamplingResult.AllDataAndRecorded : ActivitySamplingResult.None;
            _spans = new ActivityListener
            {
                ShouldListenTo = source => source.Name == Subject.Telemetry,
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
                    if (instrument.Meter.Name == Subject.Telemetry)
                    {
                        listener.EnableMeasurementEvents(instrument);
                    }
                },
            };
            _meters.SetMeasurementEventCallback<double>((_, _, _, _) => Interlocked.Increment(ref _durations));
            _meters.SetMeasurementEventCallback<long>((_, value, _, _) => Interlocked.Add(ref _counts, value));
            _meters.Start();
        }
    }

    public override long Durations => Volatile.Read(ref _durations);

    public override void Dispose()
    {
        _spans?.Dispose();
        _meters?.Dispose();
        base.Dispose();
    }
}
