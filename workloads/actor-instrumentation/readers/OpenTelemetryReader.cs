using System.Diagnostics;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>The OpenTelemetry SDK, which hands everything to an exporter that counts it and lets it go.</summary>
internal sealed class OpenTelemetryReader : Reader
{
    private readonly TracerProvider? _tracing;
    private readonly MeterProvider? _metering;
    private long _measurements;

    public OpenTelemetryReader(Settings settings)
    {
        if (settings.Tracing)
        {
            _tracing = Sdk.CreateTracerProviderBuilder()
                .AddSource(Subject.Source)
                .SetSampler(settings.Sampled ? new AlwaysOnSampler() : new AlwaysOffSampler())
                .AddProcessor(new SimpleActivityExportProcessor(new SpanExporter(this)))
                .Build();
        }

        if (settings.Metrics)
        {
            _metering = Sdk.CreateMeterProviderBuilder()
                .AddMeter(Subject.Meter)
                .AddReader(new BaseExportingMetricReader(new MetricExporter(this)))
                .Build();
        }
    }

    public override long Measurements
    {
        get
        {
            _metering?.ForceFlush();
            return Volatile.Read(ref _measurements);
        }
    }

    public override void Dispose()
    {
        _tracing?.Dispose();
        _metering?.Dispose();
        base.Dispose();
    }

    private sealed class SpanExporter(OpenTelemetryReader reader) : BaseExporter<Activity>
    {
        public override ExportResult Export(in Batch<Activity> batch)
        {
            foreach (var _ in batch)
            {
                reader.TakeSpan();
            }

            return ExportResult.Success;
        }
    }

    // Sums since the start, as the SDK keeps them unless told otherwise.
    private sealed class MetricExporter(OpenTelemetryReader reader) : BaseExporter<Metric>
    {
        public override ExportResult Export(in Batch<Metric> batch)
        {
            long measurements = 0;
            foreach (var metric in batch)
            {
                var isCounter = metric.MetricType == MetricType.LongSum && metric.Name == Subject.Counter;
                if (!isCounter && (metric.MetricType != MetricType.Histogram || Subject.Counter is not null))
                {
                    continue;
                }

                foreach (ref readonly var point in metric.GetMetricPoints())
                {
                    measurements += isCounter ? point.GetSumLong() : point.GetHistogramCount();
                }
            }

            Volatile.Write(ref reader._measurements, measurements);
            return ExportResult.Success;
        }
    }
}
