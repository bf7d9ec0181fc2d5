using Akka.Actor;
using Akka.Cluster.Sharding;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>A region of shards.</summary>
internal sealed class AkkaHost : IActorHost
{
    private readonly ActorSystem _system;

    private AkkaHost(ActorSystem system) => _system = system;

    public IReadOnlyList<int> Sidecars => [];

    public static AkkaHost Start(Place place)
    {
        var system = AkkaMember.Join(place, AkkaPorts.Host(place.Self), AkkaMember.HostRole);
        var region = ClusterSharding.Get(system).Start(
            Greeter.Kind, Props.Create(() => new GreeterActor()), ClusterShardingSettings.Create(system), AkkaMember.Extractor);
        // A shard goes to the region that has the fewest of those that are there.
        AkkaMember.WaitUntil("regions were there", place.Members.Count, () => Regions(region));
        return new AkkaHost(system);
    }

    public void Dispose() => _system.Terminate().GetAwaiter().GetResult();

    private static int Regions(IActorRef region)
    {
        try
        {
            return region.Ask<CurrentRegions>(GetCurrentRegions.Instance, TimeSpan.FromSeconds(1)).GetAwaiter().GetResult().Regions.Count;
        }
        catch (AskTimeoutException)
        {
            return 0;
        }
    }

    private sealed class GreeterActor : UntypedActor
    {
        public GreeterActor() => Greeter.Activate();

        // Empty is no name.
        protected override void OnReceive(object message)
        {
            if (message is string name)
            {
                Sender.Tell(Greeter.Answer(name.Length == 0 ? null : name));
            }
        }
    }
}
