using Akka.Actor;
using PerfLab.Workloads.AkkaRemote;

namespace PerfLab.Workloads.AkkaRemotePingPong;

/// <summary>The echo actors live in a second actor system of this process, as in the original.</summary>
internal sealed class SameProcess : IEchoSide
{
    private ActorSystem? _system;

    public string Description => "a second actor system of the same process";

    public Address Start()
    {
        _system = Remoting.Listen("SystemB");
        return Remoting.AddressOf(_system);
    }

    public void Stop() => Remoting.Terminate(_system!);

    public long AllocatedElsewhere() => 0;

    public void Dispose() => _system?.Dispose();
}
