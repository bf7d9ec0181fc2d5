using Orleans.Concurrency;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>What can be sent to the one grain.</summary>
internal interface IReceiver : IGrainWithIntegerKey
{
    /// <summary>A message that nobody answers and that is not copied, as those of the other frameworks.</summary>
    [OneWay]
    Task Receive([Immutable] object message);
}
