using System.Net;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>Orleans: a silo on each node that holds actors, of which the first keeps the list of members; clients come by the silos' gateways.</summary>
internal static class Framework
{
    public static IActorHost Host(Place place) => OrleansHost.Start(place);

    /// <remarks>In one process, too, it is a client of its own and not the silo's: messages go over the loopback and are serialised.</remarks>
    public static IActorClient Client(Place place) => OrleansClient.Start(place);
}

/// <summary>Where the silo of a node listens.</summary>
internal static class OrleansPorts
{
    public static int Silo(LaunchNode node) => node.Port + 1;

    public static int Gateway(LaunchNode node) => node.Port + 2;

    public static IPEndPoint SiloAt(LaunchNode node) => new(IPAddress.Parse(node.Host), Silo(node));

    public static IPEndPoint GatewayAt(LaunchNode node) => new(IPAddress.Parse(node.Host), Gateway(node));
}
