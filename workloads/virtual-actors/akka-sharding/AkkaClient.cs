using Akka.Actor;
using Akka.Cluster.Sharding;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>A proxy to the regions: it learns where a shard is and sends there.</summary>
internal sealed class AkkaClient : IActorClient
{
    private readonly ActorSystem _system;
    private readonly IActorRef _proxy;

    private AkkaClient(ActorSystem system)
    {
        _system = system;
        _proxy = ClusterSharding.Get(system).StartProxy(Greeter.Kind, AkkaMember.HostRole, AkkaMember.Extractor);
    }

    public IReadOnlyList<int> Sidecars => [];

    public static AkkaClient Start(Place place) => new(AkkaMember.Join(place, AkkaPorts.Client(place.Self), AkkaMember.ClientRole));

    /// <remarks>No timeout, as in the original: it would cost a timer for each message.</remarks>
    public Task<string> PingAsync(string actor, string? name) => _proxy.Ask<string>(new ShardingEnvelope(actor, name ?? ""));

    public void Dispose() => _system.Terminate().GetAwaiter().GetResult();
}
