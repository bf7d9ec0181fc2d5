using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Configuration;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>A grain of Orleans in a silo of this process, asked by the silo's own client, with Orleans's own metrics and tracing.</summary>
internal sealed class Subject : IDisposable
{
    /// <summary>Name of the activity source that this framework writes to.</summary>
    public const string Source = "Microsoft.Orleans.Application";

    /// <summary>Name of the meter that this framework writes to.</summary>
    public const string Meter = "Microsoft.Orleans";

    private readonly IHost _host;
    private readonly IReceiver _receiver;

    private Subject(Settings settings)
    {
        _host = new HostBuilder().UseOrleans(silo => Configure(silo, settings)).Build();
        _host.Start();
        _receiver = _host.Services.GetRequiredService<IGrainFactory>().GetGrain<IReceiver>(0);
    }

    /// <summary>
    /// Orleans has a duration only of calls that are answered; this counter has every message that a grain was given, the silo's own, too.
    /// It adds up by itself, and is read now and then.
    /// </summary>
    public static string? Counter => "orleans-messaging-processing-dispatcher-processed";

    public Tally Tally { get; } = new();

    public static Subject Start(Settings settings) => !settings.Cached ? new(settings)
        : throw new RefusedException("parameter 'names' is 'cached', which Orleans's own hooks do not offer; leave it out.");

    public void Tell(object message) => _ = _receiver.Receive(message);

    public void Dispose()
    {
        _host.StopAsync().GetAwaiter().GetResult();
        _host.Dispose();
    }

    private void Configure(ISiloBuilder silo, Settings settings)
    {
        var cluster = Guid.NewGuid().ToString("N");
        // No gateway: nobody calls from outside.
        silo.UseLocalhostClustering(FreePort(), gatewayPort: 0, serviceId: cluster, clusterId: cluster)
            .Configure<SiloMessagingOptions>(options => options.DropExpiredMessages = false) // faithful: the last of them wait for long
            .ConfigureServices(services => services.AddSingleton(Tally));
        if (settings.Tracing)
        {
            silo.AddActivityPropagation();
        }
    }

    // Sealed launches have a network of their own; elsewhere another program may take it meanwhile, which is rare.
    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
