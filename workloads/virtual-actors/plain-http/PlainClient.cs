using System.Text;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>HttpClient with as many connections as it needs; a name's hash says which member holds the actor.</summary>
internal sealed class PlainClient : IActorClient
{
    private readonly SocketsHttpHandler _handler = new()
    {
        UseProxy = false,
        UseCookies = false,
        PooledConnectionLifetime = Timeout.InfiniteTimeSpan,
        PooledConnectionIdleTimeout = Timeout.InfiniteTimeSpan,
    };

    private readonly HttpClient _http;
    private readonly Uri[] _members;

    public PlainClient(IReadOnlyList<LaunchNode> members)
    {
        _http = new HttpClient(_handler);
        _members = [.. members.Select(member => new Uri(FormattableString.Invariant($"http://{member.Host}:{PortOf(member)}/")))];
    }

    public IReadOnlyList<int> Sidecars => [];

    /// <summary>Where a member's actors are asked.</summary>
    public static int PortOf(LaunchNode member) => member.Port + 1;

    public async Task<string> PingAsync(string actor, string? name)
    {
        var address = new Uri(_members[Hash(actor) % (uint)_members.Length], actor);
        using var body = new ByteArrayContent(name is null ? [] : Encoding.UTF8.GetBytes(name));
        using var answer = await _http.PostAsync(address, body);
        answer.EnsureSuccessStatusCode();
        return await answer.Content.ReadAsStringAsync();
    }

    public void Dispose()
    {
        _http.Dispose();
        _handler.Dispose();
    }

    // FNV-1a: the same in every process, which string.GetHashCode is not.
    private static uint Hash(string text) => text.Aggregate(2166136261u, (hash, character) => (hash ^ character) * 16777619u);
}
