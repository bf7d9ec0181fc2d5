using Google.Protobuf.WellKnownTypes;
using Proto;
using Proto.Cluster;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>A client of the cluster: it knows the members and holds no actors.</summary>
internal sealed class ProtoClient : IActorClient
{
    private readonly ActorSystem _system;
    private readonly Proto.Cluster.Cluster _cluster;

    private ProtoClient(ActorSystem system) => (_system, _cluster) = (system, system.Cluster());

    public IReadOnlyList<int> Sidecars => [];

    public static ProtoClient Start(Place place)
    {
        var system = Framework.System(place, ProtoPorts.Client(place.Self), hasActors: false);
        system.Cluster().StartClientAsync().GetAwaiter().GetResult();
        return new ProtoClient(system);
    }

    public async Task<string> PingAsync(string actor, string? name)
    {
        var answer = await _cluster.RequestAsync<StringValue>(actor, Greeter.Kind, new StringValue { Value = name ?? "" }, CancellationTokens.FromSeconds(30));
        return answer.Value;
    }

    public void Dispose() => _system.ShutdownAsync().GetAwaiter().GetResult();
}
