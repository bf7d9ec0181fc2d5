namespace PerfLab.Machine.Maintenance;

/// <summary>
/// Azure's instance metadata service, on the machine only. Workload containers can't reach it (the firewall's business); its token may
/// deallocate this machine and nothing else.
/// </summary>
public sealed class MetadataService(HttpClient http)
{
    public static readonly Uri Address = new("http://169.254.169.254");

    /// <summary>How its answers are read: nothing twice, nothing deep.</summary>
    public static readonly JsonDocumentOptions Strict = new() { AllowDuplicateProperties = false, MaxDepth = 32 };

    private const int MostBytes = 1 << 20;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);
    private string? _name;

    /// <summary>Without proxy and redirects: both would lead the token elsewhere. Waits 10 s for a connection, and for a whole answer unless told.</summary>
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

    /// <summary>A token of the machine's own identity, and for how long it is good; null text when the service gives none.</summary>
    public async Task<(string? Token, TimeSpan Lifetime)> TokenAsync(CancellationToken cancellationToken)
    {
        var answer = await GetAsync("/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fmanagement.azure.com%2F", cancellationToken);
        return (Text(answer, "access_token"), Lifetime(Text(answer, "expires_in")));
    }

    /// <summary>A member that is text, else null.</summary>
    public static string? Text(JsonObject? from, string name) => from?[name] is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;

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
}
