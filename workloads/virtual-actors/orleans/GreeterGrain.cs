using Orleans.Placement;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>The actor as callers know it.</summary>
internal interface IGreeterGrain : IGrainWithStringKey
{
    Task<string> Ping(string? name);
}

/// <summary>The actor. A hash of its name says where it lives, as with every framework here; Orleans's own choice differs by version.</summary>
[HashBasedPlacement]
internal sealed class GreeterGrain : Grain, IGreeterGrain
{
    public GreeterGrain() => Greeter.Activate();

    public Task<string> Ping(string? name) => Task.FromResult(Greeter.Answer(name));
}
