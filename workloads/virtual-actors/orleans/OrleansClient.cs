using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Configuration;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>A client of the cluster, connected to the gateways of all silos.</summary>
internal sealed class OrleansClient : IActorClient
{
    private readonly IHost _host;
    private readonly IGrainFactory _grains;

    private OrleansClient(IHost host) => (_host, _grains) = (host, host.Services.GetRequiredService<IGrainFactory>());

    public IReadOnlyList<int> Sidecars => [];

    public static OrleansClient Start(Place place)
    {
        var host = new HostBuilder().UseOrleansClient(client => client
            .UseStaticClustering([.. place.Members.Select(OrleansPorts.GatewayAt)])
            .Configure<ClusterOptions>(options => (options.ClusterId, options.ServiceId) = (place.Cluster, place.Cluster))
            // Left alone it looks for an address of its own, and finds none where there is only the loopback.
            .Configure<ClientMessagingOptions>(options => options.LocalAddress = IPAddress.Parse(place.Self.Host))).Build();
        host.Start();
        return new OrleansClient(host);
    }

    public Task<string> PingAsync(string actor, string? name) => _grains.GetGrain<IGreeterGrain>(actor).Ping(name);

    public void Dispose()
    {
        _host.StopAsync().GetAwaiter().GetResult();
        _host.Dispose();
    }
}
