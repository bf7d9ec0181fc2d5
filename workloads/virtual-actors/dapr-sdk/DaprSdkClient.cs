using Dapr.Actors;
using Dapr.Actors.Client;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>Calls actors by the SDK's typed proxies ("remoting"), which ask the sidecar of its own node.</summary>
internal sealed class DaprSdkClient : IActorClient
{
    // Connections as the framework dapr has them: the two differ by the SDK alone.
    private readonly SocketsHttpHandler _connections = new() { UseProxy = false, UseCookies = false };
    private readonly ActorProxyFactory _proxies;
    private readonly Sidecar? _sidecar;

    /// <param name="self">The node.</param>
    /// <param name="sidecar">The node's own; null where it belongs to the host in the same process.</param>
    public DaprSdkClient(LaunchNode self, Sidecar? sidecar)
    {
        _proxies = new ActorProxyFactory(new ActorProxyOptions { HttpEndpoint = DaprPorts.Address(self) }, _connections);
        _sidecar = sidecar;
    }

    public IReadOnlyList<int> Sidecars => _sidecar?.Processes ?? [];

    /// <remarks>A proxy for each message, as with the other frameworks: what a sender has is a name.</remarks>
    public Task<string> PingAsync(string actor, string? name) =>
        _proxies.CreateActorProxy<IGreeterActor>(new ActorId(actor), Greeter.Kind).Ping(name);

    public void Dispose()
    {
        _connections.Dispose();
        _sidecar?.Dispose();
    }
}
