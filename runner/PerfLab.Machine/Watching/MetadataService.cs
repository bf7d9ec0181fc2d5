using PerfLab.Core.Files;

namespace PerfLab.Machine.Watching;

/// <summary>
/// Azure's instance metadata service, on the machine only. Workload containers can't reach it (the firewall's business); its token may
/// delete machines of the lab and nothing else.
/// </summary>
public sealed class MetadataService(HttpClient http)
{
    public static readonly Uri Address = new("http://169.254.169.254");

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
    public Task<AzureCompute?> ComputeAsync(CancellationToken cancellationToken) => GetAsync(AzureCompute.Format, "/metadata/instance/compute?api-version=2021-02-01", cancellationToken);

    /// <summary>What <see cref="ScheduledEvents"/> makes of the answer; null when the service doesn't answer sensibly now.</summary>
    public async Task<IReadOnlyList<string>?> ScheduledEventsAsync(CancellationToken cancellationToken)
    {
        var document = await GetAsync(ScheduledEvents.Format, "/metadata/scheduledevents?api-version=2020-07-01", cancellationToken);
        _name ??= document?.Events.Count > 0 ? (await ComputeAsync(cancellationToken))?.Name : null;
        return document?.Of(_name);
    }

    /// <summary>A token of the machine's own identity, and for how long it is good; null text when the service gives none.</summary>
    public async Task<(string? Token, TimeSpan Lifetime)> TokenAsync(CancellationToken cancellationToken)
    {
        var answer = await GetAsync(MachineToken.Format, "/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fmanagement.azure.com%2F", cancellationToken);
        return (answer?.AccessToken, Lifetime(answer?.ExpiresIn));
    }

    private static TimeSpan Lifetime(string? seconds) =>
        TimeSpan.FromSeconds(int.TryParse(seconds, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? Math.Clamp(value, 60, 86_400) : 60);

    private async Task<T?> GetAsync<T>(FileFormat<T> format, string path, CancellationToken cancellationToken)
        where T : class
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.Add("Metadata", "true");
        try
        {
            using var answer = await http.SendAsync(request, cancellationToken);
            // As bytes: a character set that nobody knows would throw.
            return answer.IsSuccessStatusCode ? format.Read(await answer.Content.ReadAsByteArrayAsync(cancellationToken)).Value : null;
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException
            || (exception is TaskCanceledException && !cancellationToken.IsCancellationRequested))
        {
            return null;
        }
    }
}
