using System.Diagnostics;
using Akka.Actor;
using Akka.Cluster;
using Akka.Cluster.Sharding;
using Akka.Configuration;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>What members have in common, whether they hold actors or only send.</summary>
internal static class AkkaMember
{
    public const string HostRole = "host", ClientRole = "client";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>An actor's name is its entity id; a hash of it says which of 30 shards it is in, as in the original.</summary>
    public static IMessageExtractor Extractor { get; } = HashCodeMessageExtractor.Create(
        30, message => (message as ShardingEnvelope)?.EntityId, message => message is ShardingEnvelope envelope ? envelope.Message : message);

    /// <summary>Joins the cluster of the launch, and returns when all members that hold actors and this one are up.</summary>
    /// <exception cref="InvalidOperationException">They were not up in time.</exception>
    public static ActorSystem Join(Place place, int port, string role)
    {
        var first = place.Members[0];
        // The regions' places are kept in the cluster's own replicated data, in memory. Nobody leaves an idle actor: launches are short.
        var system = ActorSystem.Create(place.Cluster, ConfigurationFactory.ParseString($$"""
            akka {
              loglevel = OFF
              stdout-loglevel = OFF
              log-dead-letters = off
              coordinated-shutdown.run-by-actor-system-terminate = off
              actor.provider = cluster
              remote.dot-netty.tcp { hostname = "{{place.Self.Host}}", port = {{port}} }
              cluster {
                roles = [{{role}}]
                seed-nodes = ["akka.tcp://{{place.Cluster}}@{{first.Host}}:{{AkkaPorts.Host(first)}}"]
                downing-provider-class = ""
                sharding {
                  state-store-mode = ddata, remember-entities = off, passivate-idle-entity-after = off, role = {{HostRole}}
                  distributed-data.durable.keys = []
                }
              }
            }
            """).WithFallback(ClusterSharding.DefaultConfig()));
        var cluster = Akka.Cluster.Cluster.Get(system);
        WaitUntil("members that hold actors were up", place.Members.Count, () => cluster.SelfMember.Status != MemberStatus.Up ? 0
            : cluster.State.Members.Count(member => member.Status == MemberStatus.Up && member.HasRole(HostRole)));
        return system;
    }

    /// <exception cref="InvalidOperationException">There were not enough in time.</exception>
    public static void WaitUntil(string what, int expected, Func<int> count)
    {
        var clock = Stopwatch.StartNew();
        while (count() is var there && there < expected)
        {
            if (clock.Elapsed > Patience)
            {
                throw new InvalidOperationException($"{there} of {expected} {what} after {Patience.TotalSeconds} s.");
            }

            Thread.Sleep(50);
        }
    }
}
