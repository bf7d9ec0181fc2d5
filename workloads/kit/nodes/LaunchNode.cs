namespace PerfLab.WorkloadKit;

/// <summary>One program of a launch that has several.</summary>
public sealed class LaunchNode
{
    /// <summary>Ports that belong to a node, from <see cref="Port"/> on; the kit takes none of them.</summary>
    public const int Ports = 20;

    internal LaunchNode(string name, string host, int port)
    {
        Name = name;
        Host = host;
        Port = port;
    }

    /// <summary>Its role and its number, from 0: "sut-0".</summary>
    public string Name { get; }

    /// <summary>The role: "sut".</summary>
    public string Role => Name.Substring(0, Name.LastIndexOf('-'));

    /// <summary>An IPv4 address: 127.0.0.1, or a pod's.</summary>
    public string Host { get; }

    /// <summary>The first of its ports.</summary>
    public int Port { get; }

    /// <summary>A node on this machine's loopback: what a program is to itself that is the only one of its launch.</summary>
    public static LaunchNode Here(string name, int port) => new(name, "127.0.0.1", port);

    /// <summary>Reads "sut-0=127.0.0.1:21000".</summary>
    /// <exception cref="RefusedException">It is something else.</exception>
    internal static LaunchNode Parse(string text)
    {
        var (equals, colon) = (text.IndexOf('='), text.LastIndexOf(':'));
        if (equals > 0 && colon > equals && text.LastIndexOf('-', equals) > 0
            && int.TryParse(text.Substring(colon + 1), out var port) && port is > 0 and <= 65536 - Ports)
        {
            return new LaunchNode(text.Substring(0, equals), text.Substring(equals + 1, colon - equals - 1), port);
        }

        throw new RefusedException($"PERF_LAB_NODES has '{text}', which is not like sut-0=127.0.0.1:21000.");
    }
}
