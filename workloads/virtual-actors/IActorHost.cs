using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>The side under test on one node: a member of the framework's cluster that holds actors.</summary>
internal interface IActorHost : IDisposable
{
    /// <summary>Processes beside this one that belong to the node: sidecars. Their processor time and memory count with it.</summary>
    IReadOnlyList<int> Sidecars { get; }
}

/// <summary>The side that sends: knows actors by their names alone.</summary>
internal interface IActorClient : IDisposable
{
    /// <summary>Processes beside this one that belong to the sender: their processor time counts with it.</summary>
    IReadOnlyList<int> Sidecars { get; }

    /// <summary>Sends one message to an actor, which is activated where it is not, and gives its answer.</summary>
    /// <param name="actor">Its name: a-z, 0-9 and -.</param>
    /// <param name="name">What it is to greet; null: only to be there.</param>
    Task<string> PingAsync(string actor, string? name);
}

/// <summary>What every actor of every framework does, and how many there are on this node.</summary>
internal static class Greeter
{
    /// <summary>What frameworks that name a kind of actor call it.</summary>
    public const string Kind = "Greeter";

    private static long _activated;

    /// <summary>Actors that were activated in this process so far.</summary>
    public static long Activated => Interlocked.Read(ref _activated);

    /// <summary>Each actor calls it once, when it comes to life.</summary>
    public static void Activate() => Interlocked.Increment(ref _activated);

    /// <summary>What an actor answers. Waits while the side under test stalls, if it was told to.</summary>
    public static string Answer(string? name)
    {
        Stall.WaitForEnd();
        return Expected(name);
    }

    /// <summary>What must come back.</summary>
    public static string Expected(string? name) => name is null ? "here" : "Hello " + name;
}

/// <summary>Where this node is in the framework's cluster.</summary>
/// <param name="Members">Nodes that hold actors, this program itself where it is the only one.</param>
/// <param name="Self">This node.</param>
/// <param name="Cluster">An id that no other launch has.</param>
internal sealed record Place(IReadOnlyList<LaunchNode> Members, LaunchNode Self, string Cluster);
