using PerfLab.WorkloadKit;
using PerfLab.Workloads.Actors;

namespace PerfLab.Workloads.ActorSweep;

/// <summary>What the launch is asked for.</summary>
internal sealed class Settings
{
    private readonly int _inFlight;
    private readonly int _batch;

    private Settings(int actors, int inFlight, int batch, int repeat)
    {
        Actors = actors;
        _inFlight = inFlight;
        _batch = batch;
        Repeat = repeat;
    }

    /// <summary>Clients and destinations together, an even number; the faithful sweep has its own numbers.</summary>
    public int Actors { get; }

    /// <summary>Exchanges of all pairs in a cell of the faithful sweep; both handled messages of an exchange count.</summary>
    public int Repeat { get; }

    /// <exception cref="RefusedException">A parameter is wrong or unknown.</exception>
    public static Settings From(Parameters parameters)
    {
        var settings = new Settings(
            parameters.Integer("actors", standard: 4, minimum: 2, maximum: 512),
            parameters.Integer("in-flight", standard: 1000, minimum: 1, maximum: 100_000),
            parameters.Integer("batch", standard: 100, minimum: 1, maximum: 10_000),
            parameters.Integer("repeat", standard: 15_000_000, minimum: 100_000, maximum: 1_000_000_000));
        parameters.Check();
        return settings.Actors % 2 == 0
            ? settings
            : throw new RefusedException($"parameter 'actors' is '{settings.Actors}', which is not an even number: actors come in pairs.");
    }

    /// <summary>Pairs of which each works as the launch is asked to.</summary>
    public PairSettings Pairs(int pairs) => new(pairs, _inFlight, _batch);
}
