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
