namespace PerfLab.Workloads.VirtualActors;

/// <summary>Dapr's actors as its SDK for .NET hosts and calls them, over the same sidecars and placement as without it.</summary>
internal static class Framework
{
    public static IActorHost Host(Place place) => DaprSdkHost.Start(place);

    /// <remarks>In one process both sides share the sidecar.</remarks>
    public static IActorClient Client(Place place) =>
        new DaprSdkClient(place.Self, place.Members.Contains(place.Self) ? null : Sidecar.Start(place, hasActors: false));
}
