using System.Diagnostics;
using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Configuration;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>A silo. Members are kept by the first one in memory, so there is no store; actors have no state.</summary>
internal sealed class OrleansHost : IActorHost
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly IHost _host;

    private OrleansHost(IHost host) => _host = host;

    public IReadOnlyList<int> Sidecars => [];

    /// <exception cref="InvalidOperationException">Not every member came in time.</exception>
    public static OrleansHost Start(Place place)
    {
        var self = place.Self;
        var host = new HostBuilder().UseOrleans(silo => silo
            .UseDevelopmentClustering(OrleansPorts.SiloAt(place.Members[0]))
            .Configure<ClusterOptions>(options => (options.ClusterId, options.ServiceId) = (place.Cluster, place.Cluster))
            .Configure<EndpointOptions>(options =>
            {
                options.AdvertisedIPAddress = IPAddress.Parse(self.Host);
                options.SiloPort = OrleansPorts.Silo(self);
                options.GatewayPort = OrleansPorts.Gateway(self);
            })).Build();
        host.Start();
        WaitForMembers(host, place.Members.Count);
        return new OrleansHost(host);
    }

    public void Dispose()
    {
        _host.StopAsync().GetAwaiter().GetResult();
        _host.Dispose();
    }

    // Before all are there, a name's hash would choose among those that are.
    private static void WaitForMembers(IHost host, int expected)
    {
        var members = host.Services.GetRequiredService<IClusterMembershipService>();
        var clock = Stopwatch.StartNew();
        while (members.CurrentSnapshot.Members.Values.Count(member => member.Status == SiloStatus.Active) is var active && active < expected)
        {
            if (clock.Elapsed > Patience)
            {
                throw new InvalidOperationException($"{active} of {expected} silos were active after {Patience.TotalSeconds} s.");
            }

            Thread.Sleep(20);
        }
    }
}
