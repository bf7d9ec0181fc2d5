namespace PerfLab.Workloads.VirtualActors;

/// <summary>
/// No framework, the floor: actors are objects in a table of a web server, one for each name, and a name's hash says on which node.
/// </summary>
internal static class Framework
{
    public static IActorHost Host(Place place) => PlainHost.Start(place);

    public static IActorClient Client(Place place) => new PlainClient(place.Members);
}
