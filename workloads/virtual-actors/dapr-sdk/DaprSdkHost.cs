using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>A web application that answers its sidecar by the SDK's own endpoints.</summary>
internal sealed class DaprSdkHost : IActorHost
{
    private readonly WebApplication _application;
    private readonly Sidecar _sidecar;

    private DaprSdkHost(WebApplication application, Sidecar sidecar) => (_application, _sidecar) = (application, sidecar);

    public IReadOnlyList<int> Sidecars => _sidecar.Processes;

    public static DaprSdkHost Start(Place place)
    {
        // Nothing is logged, as with the other frameworks on Kestrel.
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore()
            .ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Parse(place.Self.Host), DaprPorts.Application(place.Self)));
        builder.Services.AddActors(options =>
        {
            options.HttpEndpoint = DaprPorts.Address(place.Self);
            options.Actors.RegisterActor<GreeterActor>(Greeter.Kind);
        });
        var application = builder.Build();
        application.MapActorsHandlers();
        application.StartAsync().GetAwaiter().GetResult();
        return new DaprSdkHost(application, Sidecar.Start(place, hasActors: true));
    }

    public void Dispose()
    {
        _sidecar.Dispose();
        _application.StopAsync().GetAwaiter().GetResult();
        ((IDisposable)_application).Dispose();
    }
}
