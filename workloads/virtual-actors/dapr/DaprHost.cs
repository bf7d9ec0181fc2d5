using System.Collections.Concurrent;
using System.Net;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>What an application with actors answers its sidecar: which kinds it has, that it is well, and each message to an actor.</summary>
internal sealed class DaprHost : IActorHost
{
    private readonly WebApplication _application;
    private readonly Sidecar _sidecar;

    private DaprHost(WebApplication application, Sidecar sidecar) => (_application, _sidecar) = (application, sidecar);

    public IReadOnlyList<int> Sidecars => _sidecar.Processes;

    public static DaprHost Start(Place place)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore()
            .ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Parse(place.Self.Host), DaprPorts.Application(place.Self)));
        var application = builder.Build();
        application.Run(new Answers().AnswerAsync);
        application.StartAsync().GetAwaiter().GetResult();
        return new DaprHost(application, Sidecar.Start(place, hasActors: true));
    }

    public void Dispose()
    {
        _sidecar.Dispose();
        _application.StopAsync().GetAwaiter().GetResult();
        ((IDisposable)_application).Dispose();
    }

    private sealed class Answers
    {
        private const string Actors = "/actors/" + Greeter.Kind + "/";

        /// <summary>The sidecar sees to it that an actor gets one message at a time.</summary>
        private readonly ConcurrentDictionary<string, bool> _actors = new(StringComparer.Ordinal);

        public Task AnswerAsync(HttpContext context)
        {
            var path = context.Request.Path.Value!;
            return context.Request.Method switch
            {
                "GET" when path == "/dapr/config" => WriteAsync(context.Response, $$"""{"entities":["{{Greeter.Kind}}"]}""", "application/json"),
                "PUT" when path.StartsWith(Actors, StringComparison.Ordinal) => PingAsync(context, path[Actors.Length..path.IndexOf('/', Actors.Length)]),
                "DELETE" when path.StartsWith(Actors, StringComparison.Ordinal) => Task.FromResult(_actors.TryRemove(path[Actors.Length..], out _)),
                _ => Task.CompletedTask, // /healthz: 200
            };
        }

        private async Task PingAsync(HttpContext context, string actor)
        {
            if (_actors.TryAdd(actor, true))
            {
                Greeter.Activate();
            }

            using var reader = new StreamReader(context.Request.Body, Encoding.UTF8);
            var name = await reader.ReadToEndAsync();
            await WriteAsync(context.Response, Greeter.Answer(name.Length == 0 ? null : name), "text/plain");
        }

        private static async Task WriteAsync(HttpResponse response, string text, string type)
        {
            var bytes = Encoding.UTF8.GetBytes(text);
            response.ContentType = type;
            response.ContentLength = bytes.Length;
            await response.Body.WriteAsync(bytes);
        }
    }
}
