using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>
/// The stand-in for instrumentation that a framework does not bring itself (<c>otel-standin</c>): a counter, a duration and the mailbox's
/// length for each message, and a span for each message with the actor's path and the message's text, whose parent travelled with it.
/// </summary>
internal sealed class Probe(Settings settings, bool metrics, string actorType, Func<string> path)
{
    /// <summary>Name of the activity source and of the meter.</summary>
    public const string Name = "perf-lab.otel-standin";

    private static readonly ActivitySource Source = new(Name);
    private static readonly Meter Meter = new(Name);
    private static readonly Counter<long> Received = Meter.CreateCounter<long>("actor.messages");
    private static readonly Histogram<double> Duration = Meter.CreateHistogram<double>("actor.receive.duration", "s");
    private static readonly UpDownCounter<long> Mailbox = Meter.CreateUpDownCounter<long>("actor.mailbox.length");

    private readonly KeyValuePair<string, object?> _actor = new("actor.type", actorType);
    private readonly string _cachedPath = path();
    private readonly string _cachedName = actorType + " receive";

    /// <summary>Whether a message has to carry its cause.</summary>
    public bool Carries => settings.Tracing;

    /// <summary>The probe of a launch; null when nothing of it is wanted, so that an actor is not instrumented at all.</summary>
    public static Probe? Of(Settings settings, string actorType, Func<string> path) =>
        settings.Metrics || settings.Tracing ? new Probe(settings, settings.Metrics, actorType, path) : null;

    /// <summary>The same for a framework that counts and times its messages itself: spans only.</summary>
    public static Probe? OfSpans(Settings settings, string actorType, Func<string> path) =>
        settings.Tracing ? new Probe(settings, metrics: false, actorType, path) : null;

    /// <summary>What a sender is busy with while it sends, the cause of its messages; null when nobody listens.</summary>
    public static Activity? StartCause() => Source.StartActivity("producer");

    /// <summary>A message goes into the mailbox.</summary>
    /// <returns>What the sender is busy with.</returns>
    public Activity? Sending()
    {
        if (metrics)
        {
            Mailbox.Add(1, _actor);
        }

        return settings.Tracing ? Activity.Current : null;
    }

    /// <summary>The actor takes a message; <see cref="End"/> has to follow.</summary>
    public Receipt Begin(object message, Activity? cause)
    {
        var span = settings.Tracing ? StartSpan(message, cause) : null;
        return new Receipt(span, metrics ? Stopwatch.GetTimestamp() : 0);
    }

    /// <summary>The actor is done with the message.</summary>
    public void End(in Receipt receipt, object message)
    {
        if (metrics)
        {
            var type = new KeyValuePair<string, object?>("message.type", message.GetType().Name);
            Duration.Record(Stopwatch.GetElapsedTime(receipt.Start).TotalSeconds, _actor, type);
            Received.Add(1, _actor, type);
            Mailbox.Add(-1, _actor);
        }

        receipt.Span?.Dispose();
    }

    private Activity? StartSpan(object message, Activity? cause)
    {
        // Nothing is formatted for a span that nobody takes.
        if (!Source.HasListeners())
        {
            return null;
        }

        var name = settings.Cached ? _cachedName : $"{actorType} receive {message.GetType().Name}";
        var span = Source.StartActivity(name, ActivityKind.Consumer, cause?.Context ?? default);
        if (span is { IsAllDataRequested: true })
        {
            span.SetTag("actor.path", settings.Cached ? _cachedPath : path());
            span.SetTag("message.type", message.GetType().Name);
            if (!settings.Cached)
            {
                span.SetTag("message.text", message.ToString());
            }
        }

        return span;
    }
}

/// <summary>What a probe began when an actor took a message.</summary>
internal readonly struct Receipt(Activity? span, long start)
{
    public Activity? Span => span;

    public long Start => start;
}
