using Akka.Actor;

namespace PerfLab.Workloads.AkkaRemote;

/// <summary>The side on which the echo actors live.</summary>
internal interface IEchoSide : IDisposable
{
    /// <summary>What runs there, for the evidence.</summary>
    string Description { get; }

    /// <summary>Starts an actor system and says where it listens.</summary>
    Address Start();

    /// <summary>Terminates the actor system that was started last.</summary>
    void Stop();

    /// <summary>Bytes that the side has allocated since it began and that this process does not count.</summary>
    long AllocatedElsewhere();
}
