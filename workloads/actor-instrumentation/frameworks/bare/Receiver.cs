using PerfLab.Workloads.Actors;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>The one actor, with a probe or without.</summary>
internal sealed class Receiver(Tally tally, Probe? probe) : Actor(batch: 30)
{
    protected override void Receive(Message message)
    {
        if (probe is null)
        {
            tally.Count(message.Content);
            return;
        }

        var receipt = probe.Begin(message.Content, message.Cause);
        tally.Count(message.Content);
        probe.End(receipt, message.Content);
    }
}
