using System.Net;
using System.Net.Sockets;
using Proto;
using Proto.Cluster;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>A member of the cluster that holds actors; they have no state.</summary>
internal sealed class ProtoHost : IActorHost
{
    private readonly ActorSystem _system;
    private readonly TcpListener _id;

    private ProtoHost(ActorSystem system, TcpListener id) => (_system, _id) = (system, id);

    public IReadOnlyList<int> Sidecars => [];

    public static ProtoHost Start(Place place)
    {
        var system = Framework.System(place, ProtoPorts.Member(place.Self), hasActors: true);
        var listener = new TcpListener(IPAddress.Parse(place.Self.Host), ProtoPorts.Id(place.Self));
        listener.Start();
        new Thread(() => TellId(listener, system.Id)) { IsBackground = true, Name = "member id" }.Start();
        system.Cluster().StartMemberAsync().GetAwaiter().GetResult();
        return new ProtoHost(system, listener);
    }

    public void Dispose()
    {
        _id.Dispose();
        // Not the cluster: leaving takes seconds, and all of it ends now.
        _system.ShutdownAsync().GetAwaiter().GetResult();
    }

    // A member is known by an id that its system makes when it starts; other nodes ask for it here.
    private static void TellId(TcpListener listener, string id)
    {
        try
        {
            while (true)
            {
                using var socket = listener.AcceptTcpClient();
                Tell(socket, id);
            }
        }
        catch (Exception stopped) when (stopped is SocketException or InvalidOperationException)
        {
            // The node ends.
        }
    }

    private static void Tell(TcpClient socket, string id)
    {
        try
        {
            using var writer = new StreamWriter(socket.GetStream());
            writer.WriteLine(id);
        }
        catch (IOException)
        {
            // Whoever asked is gone; it asks again.
        }
    }
}
