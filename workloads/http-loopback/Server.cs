using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
#if !NET8_0_OR_GREATER
using Microsoft.AspNetCore.Hosting.Server.Features;
#endif
using Microsoft.AspNetCore.Http;

namespace PerfLab.Workloads.HttpLoopback;

/// <summary>Kestrel with nothing around it: no configuration files, no logging, no routing, one port on 127.0.0.1.</summary>
internal sealed class Server : IDisposable
{
#if NET8_0_OR_GREATER
    private readonly WebApplication _application;

    private Server(WebApplication application) => _application = application;

    public Uri Address => new(_application.Urls.Single());

    public static Server Start()
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        // The IPv4 address by number: sealed containers have no ::1, and "localhost" would try it first.
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, port: 0));
        var application = builder.Build();
        application.Run(AnswerAsync);
        application.StartAsync().GetAwaiter().GetResult();
        return new Server(application);
    }

    public void Dispose()
    {
        _application.StopAsync().GetAwaiter().GetResult();
        ((IDisposable)_application).Dispose();
    }
#else
    // Before .NET 8 there is no empty builder; this host is as bare.
    private readonly IWebHost _host;

    private Server(IWebHost host) => _host = host;

    public Uri Address => new(_host.ServerFeatures.Get<IServerAddressesFeature>()!.Addresses.Single());

    public static Server Start()
    {
        var host = new WebHostBuilder()
            .UseKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, port: 0))
            .Configure(application => application.Run(AnswerAsync))
            .Build();
        host.Start();
        return new Server(host);
    }

    public void Dispose()
    {
        _host.StopAsync().GetAwaiter().GetResult();
        _host.Dispose();
    }
#endif

    private static Task AnswerAsync(HttpContext context) =>
        context.Request.Path == Endpoint.Json.Path ? Endpoint.Json.AnswerAsync(context.Response)
        : context.Request.Path == Endpoint.Plaintext.Path ? Endpoint.Plaintext.AnswerAsync(context.Response)
        : NotFound(context.Response);

    private static Task NotFound(HttpResponse response)
    {
        response.StatusCode = StatusCodes.Status404NotFound;
        return Task.CompletedTask;
    }
}
