using System.Globalization;
using System.Text.Json.Nodes;
using Azure.Core;

namespace PerfLab.Runner.Azure;

/// <summary>What the machine knows about itself.</summary>
internal sealed record SelfPortrait(AzureMachine Machine, Lease? Lease);

/// <summary>
/// Azure's instance metadata service, on the machine only. Workload containers can't reach it (the firewall's business); its token may
/// deallocate this machine and nothing else.
/// </summary>
internal sealed class MetadataService(HttpClient http, TimeProvider clock)
{
    public static readonly Uri Address = new("http://169.254.169.254");
    private const int MostBytes = 1 << 20;

    public static HttpClient Client(Uri address) => new(new SocketsHttpHandler { UseProxy = false, AllowAutoRedirect = false })
    {
        BaseAddress = address,
        Timeout = TimeSpan.FromSeconds(10),
        MaxResponseContentBufferSize = MostBytes,
    };

    /// <summary>Null when the service doesn't answer sensibly now.</summary>
    public async Task<SelfPortrait?> ReadAsync(CancellationToken cancellationToken)
    {
        var compute = await GetAsync("/metadata/instance/compute?api-version=2021-02-01", cancellationToken);
        if (compute is null || !ResourceIdentifier.TryParse(Text(compute, "resourceId"), out var id) || id?.SubscriptionId is not { } subscription || id.ResourceGroupName is not { } group)
        {
            return null;
        }

        var tags = compute["tagsList"] as JsonArray ?? [];
        var lease = tags.OfType<JsonObject>().FirstOrDefault(tag => Text(tag, "name") == MachineTags.LeaseName);
        return new(new AzureMachine
        {
            Name = Text(compute, "name") ?? id.Name,
            SubscriptionId = subscription,
            ResourceGroup = group,
            AzureName = id.Name,
            Location = Text(compute, "location") ?? "?",
            Size = Text(compute, "vmSize") ?? "?",
        }, Lease.Parse(lease is null ? null : Text(lease, "value")));
    }

    /// <summary>The machine's own identity, as a credential.</summary>
    public TokenCredential Credential => new OwnIdentity(this);

    private async Task<AccessToken> TokenAsync(CancellationToken cancellationToken)
    {
        var answer = await GetAsync("/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fmanagement.azure.com%2F", cancellationToken);
        return Text(answer, "access_token") is { Length: > 0 } token
            ? new AccessToken(token, clock.GetUtcNow() + Lifetime(Text(answer, "expires_in")))
            : throw new HttpRequestException("the metadata service gave no token for this machine's identity");
    }

    private static TimeSpan Lifetime(string? seconds) =>
        TimeSpan.FromSeconds(int.TryParse(seconds, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? Math.Clamp(value, 60, 86_400) : 60);

    private async Task<JsonObject?> GetAsync(string path, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.Add("Metadata", "true");
        try
        {
            using var answer = await http.SendAsync(request, cancellationToken);
            return answer.IsSuccessStatusCode ? JsonNode.Parse(await answer.Content.ReadAsStringAsync(cancellationToken)) as JsonObject : null;
        }
        catch (Exception exception) when (exception is HttpRequestException or System.Text.Json.JsonException or IOException
            || (exception is TaskCanceledException && !cancellationToken.IsCancellationRequested))
        {
            return null;
        }
    }

    private static string? Text(JsonObject? from, string name) => from?[name] is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;

    private sealed class OwnIdentity(MetadataService service) : TokenCredential
    {
        public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            service.TokenAsync(cancellationToken).GetAwaiter().GetResult();

        public override async ValueTask<AccessToken> GetTokenAsync(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            await service.TokenAsync(cancellationToken);
    }
}
