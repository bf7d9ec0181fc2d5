namespace PerfLab.Workloads.Actors;

/// <summary>Pairs of client and destination in some framework, started and known to be there.</summary>
internal interface IPairs
{
    /// <summary>What each client counts.</summary>
    IReadOnlyList<Exchange> Exchanges { get; }

    /// <summary>Tells every client to begin.</summary>
    void Run();

    /// <summary>Ends the actors and what they run on.</summary>
    void Terminate();
}
