using Dapr.Actors;
using Dapr.Actors.Runtime;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>The actor as callers know it. Public: the SDK implements it in an assembly that it makes while the program runs.</summary>
public interface IGreeterActor : IActor
{
    Task<string> Ping(string? name);
}

/// <summary>The actor. It has no state, so the SDK has nothing to save after a message.</summary>
internal sealed class GreeterActor : Actor, IGreeterActor
{
    public GreeterActor(ActorHost host)
        : base(host) => Greeter.Activate();

    public Task<string> Ping(string? name) => Task.FromResult(Greeter.Answer(name));
}
