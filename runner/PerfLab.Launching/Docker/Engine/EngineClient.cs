using System.Net;
using System.Net.Http.Headers;

namespace PerfLab.Launching.Docker.Engine;

/// <summary>
/// The few calls of the Docker Engine API that launching sealed containers needs. Every failure is an <see cref="EngineException"/>.
/// Why not a package: docs/decisions/0002-docker-client.md.
/// </summary>
public sealed partial class EngineClient : IDisposable
{
    /// <summary>Debian 12's engine (20.10) speaks at most this.</summary>
    public const string OldestApi = "1.41";

    /// <summary>The newest whose answers we know; engines from 29 on refuse clients below 1.44.</summary>
    public const string NewestApi = "1.51";

    private readonly EngineTransport _transport;
    private readonly SemaphoreSlim _greeting = new(1, 1);
    private EngineVersion? _version;
    private string? _prefix;

    public EngineClient(EngineEndpoint endpoint, EngineDeadlines? deadlines = null)
    {
        _transport = new EngineTransport(endpoint);
        Deadlines = deadlines ?? new EngineDeadlines();
    }

    public EngineEndpoint Endpoint => _transport.Endpoint;

    public EngineDeadlines Deadlines { get; }

    public void Dispose()
    {
        _greeting.Dispose();
        _transport.Dispose();
    }

    /// <summary>True when the engine answers at all, within the greeting's deadline.</summary>
    public async Task<bool> AnswersAsync(CancellationToken cancellationToken)
    {
        try
        {
            await _transport.StreamAsync(
                new EngineCall(HttpMethod.Get, "_ping", Deadlines.Greeting),
                async (body, token) => await body.ReadAsync(new byte[16], token),
                cancellationToken);
            return true;
        }
        catch (EngineException)
        {
            return false;
        }
    }

    internal Task<EngineVersion> VersionAsync(CancellationToken cancellationToken) =>
        _transport.AskAsync<EngineVersion>(new EngineCall(HttpMethod.Get, "version", Deadlines.Greeting), cancellationToken);

    /// <summary>The newest API version that both sides know.</summary>
    internal static string Negotiate(EngineVersion engine)
    {
        const string asked = "GET /version";
        var newest = Read(engine.ApiVersion);
        if (newest < Read(OldestApi))
        {
            throw new EngineException(EngineFault.Malformed, asked,
                $"engine {engine.Version} speaks API {engine.ApiVersion}; perf-lab needs {OldestApi} (Docker 20.10) or newer. Update the engine.");
        }

        if (Read(engine.MinApiVersion) > Read(NewestApi))
        {
            throw new EngineException(EngineFault.Malformed, asked,
                $"engine {engine.Version} wants at least API {engine.MinApiVersion}; this perf-lab knows up to {NewestApi}. Update perf-lab.");
        }

        return newest < Read(NewestApi) ? engine.ApiVersion : NewestApi;

        static Version Read(string text) => System.Version.TryParse(text, out var version)
            ? version
            : throw new EngineException(EngineFault.Malformed, asked, $"\"{text}\" is no API version.");
    }

    /// <summary>Facts about the engine: storage driver, cgroup driver, limits it can set.</summary>
    internal Task<EngineInfo> InfoAsync(CancellationToken cancellationToken) => AskAsync<EngineInfo>(HttpMethod.Get, "info", Deadlines.Call, null, cancellationToken);

    private async Task<T> AskAsync<T>(HttpMethod method, string path, TimeSpan deadline, HttpContent? body, CancellationToken cancellationToken)
        where T : class =>
        await _transport.AskAsync<T>(new EngineCall(method, await PrefixAsync(cancellationToken) + path, deadline, body), cancellationToken);

    private async Task AskAsync(HttpMethod method, string path, TimeSpan deadline, HttpContent? body, CancellationToken cancellationToken) =>
        await _transport.TellAsync(new EngineCall(method, await PrefixAsync(cancellationToken) + path, deadline, body), cancellationToken);

    /// <summary>Asked once a client: a restarted engine of another version would be another machine state, which the session voids anyway.</summary>
    private async Task<string> PrefixAsync(CancellationToken cancellationToken)
    {
        if (_prefix is not null)
        {
            return _prefix;
        }

        await _greeting.WaitAsync(cancellationToken);
        try
        {
            _version ??= await VersionAsync(cancellationToken);
            return _prefix ??= $"v{Negotiate(_version)}/";
        }
        finally
        {
            _greeting.Release();
        }
    }

    private static StringContent Json(JsonNode body) => new(body.ToJsonString(), Encoding.UTF8, "application/json");

    private static StreamContent Tar(Stream archive)
    {
        var content = new StreamContent(archive);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/x-tar");
        return content;
    }

    private static string LabelFilter(string label) =>
        Uri.EscapeDataString(new JsonObject { ["label"] = new JsonArray(label) }.ToJsonString());

    private static string Seconds(TimeSpan span) => Math.Ceiling(span.TotalSeconds).ToString(CultureInfo.InvariantCulture);

    private static bool IsMissing(EngineException failure) => failure.Status == HttpStatusCode.NotFound;
}
