using System.Net;
using System.Net.Http.Headers;

namespace PerfLab.Launching.Docker.Engine;

/// <summary>
/// One HTTP call to the engine: a deadline, a bounded answer, and every way in which it can go wrong turned into an
/// <see cref="EngineException"/>. Knows nothing of containers.
/// </summary>
internal sealed class EngineTransport : IDisposable
{
    /// <summary>No answer that we read as a whole comes near: an inspect is 10 KB, a list of 1,000 containers 2 MB.</summary>
    public const int LongestAnswer = 16 << 20;

    private const int LongestMessage = 2_000;

    private readonly HttpClient _http;

    public EngineTransport(EngineEndpoint endpoint)
    {
        Endpoint = endpoint;
#pragma warning disable CA2000 // the client owns its handler
        _http = new HttpClient(new SocketsHttpHandler
        {
            UseProxy = false,
            UseCookies = false,
            AllowAutoRedirect = false,
            PooledConnectionIdleTimeout = TimeSpan.FromSeconds(30),
            ConnectCallback = (_, cancellationToken) => endpoint.ConnectAsync(cancellationToken),
        })
        {
            BaseAddress = endpoint.BaseAddress,
            Timeout = Timeout.InfiniteTimeSpan, // each call has its own deadline
        };
#pragma warning restore CA2000
    }

    public EngineEndpoint Endpoint { get; }

    public void Dispose() => _http.Dispose();

    public Task<T> AskAsync<T>(EngineCall call, CancellationToken cancellationToken)
        where T : class =>
        SendAsync(call, async (response, token) => Read<T>(await ReadAllAsync(response.Content, call.Asked, token), call.Asked), cancellationToken);

    /// <summary>For calls that mostly have an empty answer (204, 304); another one is JSON all the same.</summary>
    public Task TellAsync(EngineCall call, CancellationToken cancellationToken) =>
        SendAsync(call, async (response, token) => await ReadAllAsync(response.Content, call.Asked, token) is { Length: > 0 } body ? Read<JsonNode>(body, call.Asked) : null, cancellationToken);

    /// <summary>Hands the answer's body to <paramref name="read"/>, which must read it to its end within the call's deadline.</summary>
    public Task<T> StreamAsync<T>(EngineCall call, Func<Stream, CancellationToken, Task<T>> read, CancellationToken cancellationToken) =>
        SendAsync(call, async (response, token) => await read(await response.Content.ReadAsStreamAsync(token), token), cancellationToken);

    private async Task<T> SendAsync<T>(
        EngineCall call, Func<HttpResponseMessage, CancellationToken, Task<T>> read, CancellationToken cancellationToken)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        deadline.CancelAfter(call.Deadline);
        try
        {
            using var request = new HttpRequestMessage(call.Method, call.Path) { Content = call.Body };
            using var response = await _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, deadline.Token);
            await ThrowUnlessSuccessAsync(response, call.Asked, deadline.Token);
            return await read(response, deadline.Token);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw new EngineException(EngineFault.TimedOut, call.Asked, Invariant(
                $"no complete answer within {call.Deadline.TotalSeconds:0.###} s."));
        }
        catch (Exception failure) when (failure is HttpRequestException or IOException)
        {
            throw Classify(failure, call.Asked);
        }
    }

    private EngineException Classify(Exception failure, string asked)
    {
        if (failure is HttpRequestException { HttpRequestError: HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError })
        {
            return new EngineException(
                EngineFault.Unreachable, asked, $"nothing answers at {Endpoint}{Cause(failure)}.{WhatToDo(Endpoint)}", failure);
        }

        return failure is HttpRequestException { HttpRequestError: HttpRequestError.InvalidResponse }
            ? new EngineException(EngineFault.Malformed, asked, $"the answer is not HTTP ({failure.Message}).", failure)
            : new EngineException(EngineFault.Cut, asked, $"the connection ended before the answer was complete ({failure.Message}).", failure);
    }

    /// <summary>Of a socket that does not exist .NET says "Cannot assign requested address", which sounds like a fault of the network.</summary>
    private string Cause(Exception failure) =>
        Endpoint.SocketPath is { } socket && !File.Exists(socket) ? "" : $" ({(failure.InnerException ?? failure).Message})";

    private static string WhatToDo(EngineEndpoint endpoint)
    {
        if (endpoint.SocketPath is null)
        {
            return "";
        }

        return File.Exists(endpoint.SocketPath)
            ? " The socket is there: start the engine, or join the group that may use it."
            : " There is no such socket: start an engine or set DOCKER_HOST.";
    }

    private static async Task ThrowUnlessSuccessAsync(HttpResponseMessage response, string asked, CancellationToken cancellationToken)
    {
        var status = (int)response.StatusCode;
        if (status is (>= 200 and < 300) or (int)HttpStatusCode.NotModified) // 304: it was already started, or stopped
        {
            return;
        }

        if (status < 400)
        {
            throw new EngineException(
                EngineFault.Malformed, asked, $"a redirect ({status}) to {response.Headers.Location}; an engine never redirects, is {asked} a proxy?");
        }

        var body = Encoding.UTF8.GetString(await ReadAllAsync(response.Content, asked, cancellationToken));
        throw new EngineException(response.StatusCode, asked, Message(body, response.Content.Headers.ContentType));
    }

    private static string Message(string body, MediaTypeHeaderValue? type)
    {
        if (EngineAnswer<Refusal>.Format.Read(body).Value is { } refusal)
        {
            return Shorten(refusal.Message.Trim());
        }

        return body.Length == 0 ? "no message" : $"{type?.MediaType ?? "untyped"} text: {Shorten(body.Trim())}";
    }

    private static string Shorten(string text) => text.Length <= LongestMessage ? text : text[..LongestMessage] + "…";

    private static async Task<byte[]> ReadAllAsync(HttpContent content, string asked, CancellationToken cancellationToken)
    {
        await using var stream = await content.ReadAsStreamAsync(cancellationToken);
        using var body = new MemoryStream();
        var buffer = new byte[16_384];
        int count;
        while ((count = await stream.ReadAsync(buffer, cancellationToken)) > 0)
        {
            if (body.Length + count > LongestAnswer)
            {
                throw new EngineException(EngineFault.Malformed, asked, $"an answer of more than {LongestAnswer >> 20} MiB.");
            }

            await body.WriteAsync(buffer.AsMemory(0, count), cancellationToken);
        }

        return body.ToArray();
    }

    private static T Read<T>(byte[] body, string asked)
        where T : class
    {
        var reading = EngineAnswer<T>.Format.Read(body);
        var problems = reading.Problems is [] ? "null instead of an answer" : string.Join("; ", reading.Problems);
        var start = Shorten(Encoding.UTF8.GetString(body.AsSpan(0, Math.Min(body.Length, 200))).Trim());
        return reading.Value ?? throw new EngineException(EngineFault.Malformed, asked, $"{problems}; it begins: {start}");
    }
}

/// <summary>One call: what is asked, with which body, and how long the answer may take.</summary>
internal sealed record EngineCall(HttpMethod Method, string Path, TimeSpan Deadline, HttpContent? Body = null)
{
    /// <summary>"POST /containers/create", without the query: shown to people.</summary>
    public string Asked => $"{Method} /{Path.Split('?', 2)[0].TrimStart('/')}";
}
