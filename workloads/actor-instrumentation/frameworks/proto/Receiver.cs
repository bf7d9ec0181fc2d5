using Proto;
using Proto.Mailbox;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>The one actor; what is seen of it is Proto.Actor's own business.</summary>
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
