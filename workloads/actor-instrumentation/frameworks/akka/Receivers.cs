using Akka.Actor;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>The one actor as it is without instrumentation.</summary>
internal class Receiver(Tally tally) : UntypedActor
{
    protected override void OnReceive(object message) => tally.Count(message);
}

/// <summary>The same with the stand-in's probe around each message: Akka.NET's own place for it.</summary>
internal sealed class InstrumentedReceiver : Receiver
{
    private readonly Probe _probe;

    public InstrumentedReceiver(Tally tally, Settings settings)
        : base(tally)
    {
        var self = Self;
        _probe = Probe.Of(settings, nameof(Receiver), () => self.Path.ToString()!)!;
    }

    protected override bool AroundReceive(Receive receive, object message)
    {
        var traced = message as Traced;
        var content = traced is null ? message : traced.Content;
        var receipt = _probe.Begin(content, traced?.Cause);
        var handled = base.AroundReceive(receive, content);
        _probe.End(receipt, content);
        return handled;
    }
}
