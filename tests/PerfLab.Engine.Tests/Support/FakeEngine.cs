using System.Net.Sockets;
using System.Text;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Support;

/// <summary>What the fake sends for a request, and whether it then goes silent instead of closing.</summary>
public sealed record FakeAnswer(string Bytes, bool ThenSilence = false)
{
    public static FakeAnswer Of(string status, string body, string type = "application/json", string headers = "") =>
        new($"HTTP/1.1 {status}\r\nContent-Type: {type}\r\nContent-Length: {Encoding.UTF8.GetByteCount(body)}\r\n{headers}Connection: close\r\n\r\n{body}");
}

/// <summary>A server on a Unix socket that answers /version like an engine and everything else as the test says.</summary>
public sealed class FakeEngine : IAsyncDisposable
{
    private readonly Socket _listener = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
    private readonly string _path = Path.Combine(Path.GetTempPath(), $"fake-{Guid.NewGuid().ToString("n")[..8]}.sock");
    private readonly CancellationTokenSource _end = new();
    private readonly Func<string, FakeAnswer?> _answer;
    private readonly Task _server;

    /// <param name="answer">By request line; null for the answer of a healthy engine to /version.</param>
    public FakeEngine(Func<string, FakeAnswer?> answer)
    {
        _answer = answer;
        _listener.Bind(new UnixDomainSocketEndPoint(_path));
        _listener.Listen(16);
        _server = ServeAsync();
    }

    public EngineEndpoint Endpoint => EngineEndpoint.Parse("unix://" + _path);

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        _listener.Dispose();
        await Task.WhenAny(_server);
        File.Delete(_path);
        _end.Dispose();
    }

    private async Task ServeAsync()
    {
        while (!_end.IsCancellationRequested)
        {
            var connection = await _listener.AcceptAsync(_end.Token);
            _ = AnswerAsync(connection);
        }
    }

    private async Task AnswerAsync(Socket connection)
    {
        using var stream = new NetworkStream(connection, ownsSocket: true);
        var request = await ReadRequestAsync(stream);
        var answer = _answer(request.Split('\r')[0])
            ?? FakeAnswer.Of("200 OK", """{"Version":"20.10","ApiVersion":"1.41","MinAPIVersion":"1.12"}""");
        try
        {
            await stream.WriteAsync(Encoding.UTF8.GetBytes(answer.Bytes), _end.Token);
            if (answer.ThenSilence)
            {
                await Task.Delay(Timeout.Infinite, _end.Token);
            }
        }
        catch (Exception gone) when (gone is IOException or OperationCanceledException)
        {
            // The client had enough, or the test is over.
        }
    }

    /// <summary>Head and body: closing a connection with unread bytes would reset it, and the client would see another fault.</summary>
    private async Task<string> ReadRequestAsync(NetworkStream stream)
    {
        var text = new StringBuilder();
        var buffer = new byte[65_536];
        while (!IsComplete(text.ToString()))
        {
            var count = await stream.ReadAsync(buffer, _end.Token);
            if (count == 0)
            {
                break;
            }

            text.Append(Encoding.Latin1.GetString(buffer, 0, count));
        }

        return text.ToString();
    }

    private static bool IsComplete(string request)
    {
        var end = request.IndexOf("\r\n\r\n", StringComparison.Ordinal);
        if (end < 0)
        {
            return false;
        }

        const string length = "Content-Length: ";
        var at = request.IndexOf(length, StringComparison.Ordinal);
        if (at >= 0 && at < end)
        {
            var digits = request[(at + length.Length)..request.IndexOf('\r', at)];
            return request.Length >= end + 4 + int.Parse(digits);
        }

        return !request.Contains("Transfer-Encoding: chunked", StringComparison.Ordinal) || request.EndsWith("0\r\n\r\n", StringComparison.Ordinal);
    }
}
