using System.Globalization;
using System.Text.Json;
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

    /// <summary>How its answers are read: nothing twice, nothing deep.</summary>
    public static readonly JsonDocumentOptions Strict = new() { AllowDuplicateProperties = false, MaxDepth = 32 };

    private const int MostBytes = 1 << 20;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);
    private string? _name;

    /// <summary>Without proxy and redirects: both would lead the token elsewhere.</summary>
    /// <param name="address">Of the service.</param>
    /// <param name="patience">For a whole answer; 10 s unless told. A connection is never waited for longer than that.</param>
    public static HttpClient Client(Uri address, TimeSpan? patience = null) =>
        new(new SocketsHttpHandler { UseProxy = false, AllowAutoRedirect = false, ConnectTimeout = Patience })
        {
            BaseAddress = address,
            Timeout = patience ?? Patience,
            MaxResponseContentBufferSize = MostBytes,
        };

    /// <summary>Name, size, place, tags and more of this machine; null when the service doesn't answer sensibly now.</summary>
    public Task<JsonObject?> ComputeAsync(CancellationToken cancellationToken) => GetAsync("/metadata/instance/compute?api-version=2021-02-01", cancellationToken);

    /// <summary>What <see cref="ScheduledEvents.Of"/> makes of the answer; null when the service doesn't answer sensibly now.</summary>
    public async Task<IReadOnlyList<string>?> ScheduledEventsAsync(CancellationToken cancellationToken)
    {
        var document = await GetAsync("/metadata/scheduledevents?api-version=2020-07-01", cancellationToken);
        _name ??= document?["Events"] is JsonArray { Count: > 0 } ? Text(await ComputeAsync(cancellationToken), "name") : null;
        return ScheduledEvents.Of(document, _name);
    }

    /// <summary>Null when the service doesn't answer sensibly now.</summary>
    public async Task<SelfPortrait?> ReadAsync(CancellationToken cancellationToken)
    {
        var compute = await ComputeAsync(cancellationToken);
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
            // As bytes: a character set that nobody knows would throw.
            return answer.IsSuccessStatusCode ? JsonNode.Parse(await answer.Content.ReadAsByteArrayAsync(cancellationToken), documentOptions: Strict) as JsonObject : null;
        }
        catch (Exception exception) when (exception is HttpRequestException or JsonException or IOException
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
