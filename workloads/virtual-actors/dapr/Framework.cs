using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>
/// Dapr's actors by their HTTP protocol, without an SDK: a sidecar beside each node, senders too, and one placement service on the first
/// node that holds actors.
/// </summary>
internal static class Framework
{
    public static IActorHost Host(Place place) => DaprHost.Start(place);

    /// <remarks>In one process both sides share the sidecar.</remarks>
    public static IActorClient Client(Place place) =>
        new DaprClient(place.Self, place.Members.Contains(place.Self) ? null : Sidecar.Start(place, hasActors: false));
}

/// <summary>The ports of a node, all its own.</summary>
internal static class DaprPorts
{
    public static int Application(LaunchNode node) => node.Port + 1;

    public static int Http(LaunchNode node) => node.Port + 2;

    public static int Grpc(LaunchNode node) => node.Port + 3;

    public static int Internal(LaunchNode node) => node.Port + 4;

    public static int Placement(LaunchNode node) => node.Port + 5;

    public static int PlacementHealth(LaunchNode node) => node.Port + 6;

    public static int PlacementRaft(LaunchNode node) => node.Port + 7;
}
