using System.Collections.Concurrent;
using System.Net;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>Kestrel with nothing around it, and a table of actors.</summary>
internal sealed class PlainHost : IActorHost
{
    private readonly WebApplication _application;
    private readonly ConcurrentDictionary<string, Lazy<PlainActor>> _actors = new(StringComparer.Ordinal);

    private PlainHost(WebApplication application) => _application = application;

    public IReadOnlyList<int> Sidecars => [];

    public static PlainHost Start(Place place)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Parse(place.Self.Host), PlainClient.PortOf(place.Self)));
        var application = builder.Build();
        var host = new PlainHost(application);
        application.Run(host.AnswerAsync);
        application.StartAsync().GetAwaiter().GetResult();
        return host;
    }

    public void Dispose()
    {
        _application.StopAsync().GetAwaiter().GetResult();
        ((IDisposable)_application).Dispose();
    }

    // POST /actor, the name to greet as the body; no body only activates.
    private async Task AnswerAsync(HttpContext context)
    {
        var name = context.Request.ContentLength is > 0 and var length ? await ReadAsync(context.Request, (int)length) : null;
        // A Lazy, so that two first messages at once do not make two actors.
        var actor = _actors.GetOrAdd(context.Request.Path.Value!, static _ => new(() => new PlainActor())).Value;
        var answer = Encoding.UTF8.GetBytes(actor.Ping(name));
        context.Response.ContentLength = answer.Length;
        await context.Response.Body.WriteAsync(answer);
    }

    private static async Task<string> ReadAsync(HttpRequest request, int length)
    {
        var body = new byte[length];
        await request.Body.ReadExactlyAsync(body);
        return Encoding.UTF8.GetString(body);
    }

    /// <summary>One message at a time, as any actor.</summary>
    private sealed class PlainActor
    {
        private readonly object _turn = new();

        public PlainActor() => Greeter.Activate();

        public string Ping(string? name)
        {
            lock (_turn)
            {
                return Greeter.Answer(name);
            }
        }
    }
}
