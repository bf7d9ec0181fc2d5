using Akka.Actor;
using Akka.Configuration;

namespace PerfLab.Workloads.AkkaRemote;

/// <summary>Actor systems that listen on a free port of the loopback, configured as Akka.NET's own RemotePingPong configures them.</summary>
internal static class Remoting
{
    /// <summary>How long anything may take that is not measured.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private const string Settings = """
        akka {
          actor.provider = remote
          loglevel = ERROR
          suppress-json-serializer-warning = on
          log-dead-letters = off
          remote {
            log-remote-lifecycle-events = off
            dot-netty.tcp { hostname = "127.0.0.1", port = 0 }
          }
        }
        """;

    public static ActorSystem Listen(string name) => ActorSystem.Create(name, ConfigurationFactory.ParseString(Settings));

    public static Address AddressOf(ActorSystem system) => ((ExtendedActorSystem)system).Provider.DefaultAddress;

    /// <exception cref="TimeoutException">The system does not end.</exception>
    public static void Terminate(ActorSystem system)
    {
        if (!system.Terminate().Wait(Patience))
        {
            throw new TimeoutException($"{system.Name} did not terminate in {Patience.TotalSeconds} s.");
        }
    }
}
