using System.Net.Sockets;

namespace PerfLab.Launching.Docker.Engine;

/// <summary>Where an engine listens: a Unix socket, or a host and port without TLS.</summary>
public sealed record EngineEndpoint
{
    public const string DefaultSocket = "/var/run/docker.sock";

    private EngineEndpoint(string? socketPath, string? host, int port)
    {
        SocketPath = socketPath;
        Host = host;
        Port = port;
    }

    /// <summary>Null for TCP.</summary>
    public string? SocketPath { get; }
    public string? Host { get; }
    public int Port { get; }

    /// <summary>Base address of requests. The host part is a placeholder where a Unix socket carries them.</summary>
    public Uri BaseAddress => SocketPath is null ? new UriBuilder("http", Host, Port).Uri : new Uri("http://docker/");

    /// <summary>The endpoint that the docker command would use: DOCKER_HOST, otherwise <see cref="DefaultSocket"/>.</summary>
    /// <exception cref="FormatException">DOCKER_HOST names a way that perf-lab does not speak; says which it does.</exception>
    public static EngineEndpoint FromEnvironment() => Parse(System.Environment.GetEnvironmentVariable("DOCKER_HOST"));

    /// <summary>Reads "unix:///path" or "tcp://host:port"; null or empty is the default socket.</summary>
    public static EngineEndpoint Parse(string? dockerHost)
    {
        if (string.IsNullOrWhiteSpace(dockerHost))
        {
            return new EngineEndpoint(DefaultSocket, null, 0);
        }

        const string unix = "unix://";
        if (dockerHost.StartsWith(unix + "/", StringComparison.Ordinal))
        {
            return new EngineEndpoint(dockerHost[unix.Length..], null, 0);
        }

        if (Uri.TryCreate(dockerHost, UriKind.Absolute, out var uri) && uri.Scheme is "tcp" or "http" && uri!.Host.Length > 0)
        {
            // 2375 is the port that Docker documents for the unencrypted API.
            return new EngineEndpoint(null, uri.Host, uri.Port > 0 ? uri.Port : 2375);
        }

        throw new FormatException(
            $"DOCKER_HOST is \"{dockerHost}\"; perf-lab speaks unix:///path/to/docker.sock and tcp://host:port. "
            + "Set one of these, or unset it for " + DefaultSocket + ".");
    }

    public override string ToString() => SocketPath is null ? $"tcp://{Host}:{Port}" : "unix://" + SocketPath;

    internal async ValueTask<Stream> ConnectAsync(CancellationToken cancellationToken)
    {
#pragma warning disable CA2000 // the stream that is returned owns the socket
        var socket = SocketPath is null
            ? new Socket(SocketType.Stream, ProtocolType.Tcp)
            : new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
#pragma warning restore CA2000
        try
        {
            await (SocketPath is null
                ? socket.ConnectAsync(Host!, Port, cancellationToken)
                : socket.ConnectAsync(new UnixDomainSocketEndPoint(SocketPath), cancellationToken));
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
