using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.AkkaRemote;

/// <summary>What a launch is asked to do.</summary>
internal sealed class Settings
{
    private Settings(int clients, int window, long repeat)
    {
        Clients = clients;
        Window = window;
        Repeat = repeat;
    }

    /// <summary>Clients, each with an echo actor of its own on the other side.</summary>
    public int Clients { get; }

    /// <summary>Messages on their way per client.</summary>
    public int Window { get; }

    /// <summary>Messages that each client sends in a cell of the faithful sweep.</summary>
    public long Repeat { get; }

    /// <summary>What the launch asks for; checks every parameter.</summary>
    public static Settings From(Parameters parameters)
    {
        var settings = new Settings(
            parameters.Integer("clients", standard: 10, minimum: 1, maximum: 1000),
            parameters.Integer("window", standard: 50, minimum: 1, maximum: 10_000),
            parameters.Integer("repeat", standard: 100_000, minimum: 100, maximum: 100_000_000));
        parameters.Check();
        return settings;
    }

    public Settings WithClients(int clients) => new(clients, Window, Repeat);
}
