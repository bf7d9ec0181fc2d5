using System.Globalization;
using Akka.Actor;
using Akka.Configuration;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.Actors;

/// <summary>
/// An actor system of its own with its pairs, each confirmed to be there before anything is timed. Calls block on purpose: they come from the
/// main thread, and a measurement that went on from an await would sit on a thread of the pool that the actors need.
/// </summary>
internal sealed class PairSystem : IPairs
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly ActorSystem _system;
    private readonly IActorRef[] _clients;

    private PairSystem(ActorSystem system, Exchange[] exchanges, IActorRef[] clients)
    {
        _system = system;
        Exchanges = exchanges;
        _clients = clients;
    }

    public IReadOnlyList<Exchange> Exchanges { get; }

    /// <summary>Starts the system and its actors.</summary>
    /// <param name="settings">How many pairs, and how they work.</param>
    /// <param name="share">What each client sends.</param>
    /// <param name="client">Makes the kind of client that is asked for.</param>
    /// <exception cref="WrongAnswerException">An actor does not answer, or with something else than it was sent.</exception>
    public static PairSystem Start(PairSettings settings, long share, Func<Correspondence, Props> client)
    {
        // The original sets Throughput on the one dispatcher object that all actors share; configuration does the same to it.
        var throughput = settings.Batch.ToString(CultureInfo.InvariantCulture);
        var system = ActorSystem.Create("PingPong", ConfigurationFactory.ParseString($"akka.loglevel = ERROR, akka.actor.default-dispatcher.throughput = {throughput}"));
        var exchanges = Enumerable.Range(0, settings.Pairs).Select(_ => new Exchange(settings.InFlight, share)).ToArray();
        var destinations = exchanges.Select((_, number) => system.ActorOf(Props.Create(() => new Destination()), Name("destination", number))).ToArray();
        var clients = exchanges.Select((exchange, number) => system.ActorOf(client(new Correspondence(destinations[number], exchange)), Name("client", number))).ToArray();
        foreach (var actor in destinations.Concat(clients))
        {
            Confirm(actor);
        }

        return new PairSystem(system, exchanges, clients);
    }

    public void Run()
    {
        var run = new Run();
        Array.ForEach(_clients, client => client.Tell(run, ActorRefs.NoSender));
    }

    public void Terminate() => _system.Terminate().GetAwaiter().GetResult();

    private static void Confirm(IActorRef actor)
    {
        var started = new Started();
        var answer = actor.Ask<object>(started, Patience).GetAwaiter().GetResult();
        if (!ReferenceEquals(answer, started))
        {
            throw new WrongAnswerException($"{actor} answered with {answer}, not with what it was sent.");
        }
    }

    private static string Name(string kind, int number) => kind + "-" + number.ToString(CultureInfo.InvariantCulture);
}
