namespace PerfLab.Workloads.Actors;

/// <summary>Pairs of bare actors. There is nothing to start or to end: actors without mail are objects.</summary>
internal sealed class Pairs : IPairs
{
    private readonly Client[] _clients;

    private Pairs(Exchange[] exchanges, Client[] clients)
    {
        Exchanges = exchanges;
        _clients = clients;
    }

    public IReadOnlyList<Exchange> Exchanges { get; }

    /// <param name="settings">How many pairs, and how they work.</param>
    /// <param name="share">What each client sends.</param>
    public static Pairs Start(PairSettings settings, long share)
    {
        var exchanges = Enumerable.Range(0, settings.Pairs).Select(_ => new Exchange(settings.InFlight, share)).ToArray();
        return new Pairs(exchanges, Array.ConvertAll(exchanges, exchange => new Client(new Destination(settings.Batch), exchange, settings.Batch)));
    }

    public void Run() => Array.ForEach(_clients, client => client.Tell(Message.Run));

    public void Terminate()
    {
    }
}
