using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.HttpLoopback;

/// <summary>HttpClient with a fixed number of connections; every answer is compared, byte for byte.</summary>
internal sealed class Client : IDisposable
{
    private readonly SocketsHttpHandler _handler;
    private readonly HttpClient _http;
    private readonly Endpoint _endpoint;
    private readonly Uri _address;

    public Client(Uri address, Endpoint endpoint, int connections)
    {
        _handler = new SocketsHttpHandler
        {
            MaxConnectionsPerServer = connections,
            UseProxy = false,
            UseCookies = false,
            PooledConnectionLifetime = Timeout.InfiniteTimeSpan,
        };
        _http = new HttpClient(_handler);
        _endpoint = endpoint;
        _address = new Uri(address, endpoint.Path);
    }

    /// <exception cref="WrongAnswerException">The answer was not the one that was to come.</exception>
    public async Task AskAsync()
    {
        var body = await _http.GetByteArrayAsync(_address);
        if (!body.AsSpan().SequenceEqual(_endpoint.Body))
        {
            throw new WrongAnswerException($"{_address} answered {body.Length} bytes that are not the {_endpoint.Body.Length} expected ones.");
        }
    }

    public void Dispose()
    {
        _http.Dispose();
        _handler.Dispose();
    }
}
