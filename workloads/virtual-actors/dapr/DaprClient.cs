using System.Text;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>Asks the sidecar of its own node, which asks the one that has the actor.</summary>
/// <param name="self">The node.</param>
/// <param name="sidecar">The node's own; null where it belongs to the host in the same process.</param>
internal sealed class DaprClient(LaunchNode self, Sidecar? sidecar) : IActorClient
{
    private readonly HttpClient _http = new(new SocketsHttpHandler { UseProxy = false, UseCookies = false });

    private readonly string _actors = $"{DaprPorts.Address(self)}/v1.0/actors/{Greeter.Kind}/";

    public IReadOnlyList<int> Sidecars => sidecar?.Processes ?? [];

    public async Task<string> PingAsync(string actor, string? name)
    {
        using var body = new ByteArrayContent(name is null ? [] : Encoding.UTF8.GetBytes(name));
        using var answer = await _http.PostAsync(new Uri($"{_actors}{actor}/method/ping"), body);
        answer.EnsureSuccessStatusCode();
        return await answer.Content.ReadAsStringAsync();
    }

    public void Dispose()
    {
        _http.Dispose();
        sidecar?.Dispose();
    }
}
