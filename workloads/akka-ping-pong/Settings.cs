using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.AkkaPingPong;

/// <summary>What one actor system is asked to do.</summary>
internal sealed class Settings
{
    /// <summary>The kind of client: actor-base or receive-actor.</summary>
    public string Client { get; set; } = "";

    /// <summary>Client and destination pairs.</summary>
    public int Pairs { get; set; }

    /// <summary>Messages on their way per pair.</summary>
    public int InFlight { get; set; }

    /// <summary>Messages that an actor handles before it gives its thread back (the dispatcher's throughput).</summary>
    public int Throughput { get; set; }

    /// <summary>Exchanges of all pairs together; both handled messages of an exchange count.</summary>
    public long Repeat { get; set; }

    /// <summary>What the launch asks for; checks every parameter.</summary>
    public static Settings From(Parameters parameters)
    {
        var settings = new Settings
        {
            Client = parameters.Choice("client", "actor-base", "receive-actor"),
            Pairs = parameters.Integer("pairs", standard: 2, minimum: 1, maximum: 1024),
            InFlight = parameters.Integer("in-flight", standard: 1000, minimum: 1, maximum: 100_000),
            Throughput = parameters.Integer("throughput", standard: 30, minimum: 1, maximum: 10_000),
            Repeat = parameters.Integer("repeat", standard: 15_000_000, minimum: 100_000, maximum: 1_000_000_000),
        };
        parameters.Check();
        return settings;
    }

    /// <summary>The same with another client, throughput and number of exchanges.</summary>
    public Settings With(string client, int throughput, long repeat) =>
        new() { Client = client, Pairs = Pairs, InFlight = InFlight, Throughput = throughput, Repeat = repeat };
}
