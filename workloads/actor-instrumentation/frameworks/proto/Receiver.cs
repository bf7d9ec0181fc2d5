using Proto;
using Proto.Mailbox;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>The one actor; how its messages are counted and timed is Proto.Actor's own business.</summary>
internal sealed class Receiver(Tally tally) : IActor
{
    public Task ReceiveAsync(IContext context)
    {
        if (context.Message is { } message and not SystemMessage)
        {
            tally.Count(message);
        }

        return Task.CompletedTask;
    }
}

/// <summary>The same with a span of the stand-in around each message.</summary>
internal sealed class TracedReceiver(Tally tally, Settings settings) : IActor
{
    private Probe? _probe;

    public Task ReceiveAsync(IContext context)
    {
        if (context.Message is Traced traced)
        {
            var self = context.Self;
            _probe ??= Probe.OfSpans(settings, nameof(Receiver), () => self.ToString());
            var receipt = _probe!.Begin(traced.Content, traced.Cause);
            tally.Count(traced.Content);
            _probe.End(receipt, traced.Content);
        }

        return Task.CompletedTask;
    }
}
