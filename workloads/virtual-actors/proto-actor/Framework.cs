using Google.Protobuf.WellKnownTypes;
using PerfLab.WorkloadKit;
using Proto;
using Proto.Cluster;
using Proto.Cluster.PartitionActivator;
using Proto.Remote;
using Proto.Remote.GrpcNet;
#if PROTO_BEFORE_1_8
using RemoteConfig = Proto.Remote.GrpcNet.GrpcNetRemoteConfig;
#endif

namespace PerfLab.Workloads.VirtualActors;

/// <summary>Proto.Actor: a member of the cluster on each node that holds actors, a client of the cluster on each that sends, gRPC between them.</summary>
internal static class Framework
{
    public static IActorHost Host(Place place) => ProtoHost.Start(place);

    /// <remarks>In one process, too, it is an actor system of its own: messages go over the loopback and are serialised.</remarks>
    public static IActorClient Client(Place place) => ProtoClient.Start(place);

    /// <summary>
    /// An actor system that listens. A hash of an actor's name says which member has it, as with every framework here: Proto.Actor's
    /// partition activator, and not its partition identity, which asks the owner of the name for a member to choose.
    /// </summary>
    public static ActorSystem System(Place place, int port, bool hasActors)
    {
        var cluster = ClusterConfig.Setup(place.Cluster, new LaunchProvider(place), new PartitionActivatorLookup());
        return new ActorSystem()
            .WithRemote(RemoteConfig.BindTo(place.Self.Host, port).WithProtoMessages(WrappersReflection.Descriptor))
            .WithCluster(hasActors ? cluster.WithClusterKind(Greeter.Kind, Props.FromProducer(() => new GreeterActor())) : cluster);
    }
}

/// <summary>The ports of a node.</summary>
internal static class ProtoPorts
{
    public static int Member(LaunchNode node) => node.Port + 1;

    public static int Id(LaunchNode node) => node.Port + 2;

    public static int Client(LaunchNode node) => node.Port + 3;
}
