namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>The one grain; what is seen of it is Orleans's own business.</summary>
internal sealed class Receiver(Tally tally) : Grain, IReceiver
{
    public Task Receive(object message)
    {
        tally.Count(message);
        return Task.CompletedTask;
    }
}
