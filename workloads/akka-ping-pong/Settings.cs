using PerfLab.WorkloadKit;
using PerfLab.Workloads.Actors;

namespace PerfLab.Workloads.AkkaPingPong;

/// <summary>What one actor system is asked to do.</summary>
internal sealed class Settings
{
    /// <summary>The kind of client: actor-base or receive-actor.</summary>
    public string Client { get; set; } = "";

    /// <summary>How many pairs, and how they work.</summary>
    public PairSettings Pairs { get; set; } = new(1, 1, 1);

    /// <summary>Exchanges of all pairs together; both handled messages of an exchange count.</summary>
    public long Repeat { get; set; }

    /// <summary>What the launch asks for; checks every parameter.</summary>
    public static Settings From(Parameters parameters)
    {
        var settings = new Settings
        {
            Client = parameters.Choice("client", "actor-base", "receive-actor"),
            Pairs = new PairSettings(
                parameters.Integer("pairs", standard: 2, minimum: 1, maximum: 1024),
                parameters.Integer("in-flight", standard: 1000, minimum: 1, maximum: 100_000),
                parameters.Integer("throughput", standard: 30, minimum: 1, maximum: 10_000)),
            Repeat = parameters.Integer("repeat", standard: 15_000_000, minimum: 100_000, maximum: 1_000_000_000),
        };
        parameters.Check();
        return settings;
    }

    /// <summary>The same with another client, throughput and number of exchanges.</summary>
    public Settings With(string client, int throughput, long repeat) =>
        new() { Client = client, Pairs = new PairSettings(Pairs.Pairs, Pairs.InFlight, throughput), Repeat = repeat };

    /// <summary>Starts the pairs; <paramref name="share"/> is what each client sends.</summary>
    public PairSystem Start(long share) => PairSystem.Start(Pairs, share, Clients.Of(Client));
}
