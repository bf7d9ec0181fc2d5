using System.Diagnostics;
using System.Net.Sockets;
using PerfLab.WorkloadKit;
using Proto.Cluster;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>
/// Who is in the cluster: the nodes of the launch that hold actors, which everybody knows from the start. Proto.Actor 1.6.0's own providers need
/// a service beside the nodes, or (seed nodes) do not come together over several processes.
/// </summary>
internal sealed class LaunchProvider(Place place) : IClusterProvider
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    public Task StartMemberAsync(Proto.Cluster.Cluster cluster) => Know(cluster);

    public Task StartClientAsync(Proto.Cluster.Cluster cluster) => Know(cluster);

    public Task ShutdownAsync(bool graceful) => Task.CompletedTask;

    private Task Know(Proto.Cluster.Cluster cluster)
    {
        cluster.MemberList.UpdateClusterTopology([.. place.Members.Select(node => new Member
        {
            Id = IdOf(node),
            Host = node.Host,
            Port = ProtoPorts.Member(node),
            Kinds = { Greeter.Kind },
        })]);
        return Task.CompletedTask;
    }

    // Nodes of one role are started together: not every one listens yet.
    private static string IdOf(LaunchNode node)
    {
        var clock = Stopwatch.StartNew();
        while (true)
        {
            try
            {
                using var socket = new TcpClient();
                socket.Connect(node.Host, ProtoPorts.Id(node));
                using var reader = new StreamReader(socket.GetStream());
                return reader.ReadLine() ?? throw new IOException("it ended");
            }
            catch (Exception failure) when (failure is SocketException or IOException)
            {
                if (clock.Elapsed > Patience)
                {
                    throw new InvalidOperationException($"{node.Name} did not say its member id within {Patience.TotalSeconds} s: {failure.Message}", failure);
                }
            }

            Thread.Sleep(20);
        }
    }
}
