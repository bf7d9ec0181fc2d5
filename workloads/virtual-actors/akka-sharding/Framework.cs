using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>Akka.Cluster.Sharding: a member with role "host" on each node that holds actors, one with a proxy to its regions on each that sends.</summary>
internal static class Framework
{
    public static IActorHost Host(Place place) => AkkaHost.Start(place);

    /// <remarks>In one process, too, it is an actor system of its own: messages go over the loopback and are serialised.</remarks>
    public static IActorClient Client(Place place) => AkkaClient.Start(place);
}

/// <summary>The ports of a node.</summary>
internal static class AkkaPorts
{
    public static int Host(LaunchNode node) => node.Port + 1;

    public static int Client(LaunchNode node) => node.Port + 2;
}
