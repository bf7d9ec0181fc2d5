using PerfLab.WorkloadKit;
using Proto;
using Proto.Mailbox;

namespace PerfLab.Workloads.Actors;

/// <summary>An actor system of its own with its pairs, each confirmed to be there before anything is timed. Calls block on purpose.</summary>
internal sealed class PairSystem : IPairs
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly ActorSystem _system;
    private readonly PID[] _clients;

    private PairSystem(ActorSystem system, Exchange[] exchanges, PID[] clients)
    {
        _system = system;
        Exchanges = exchanges;
        _clients = clients;
    }

    public IReadOnlyList<Exchange> Exchanges { get; }

    /// <summary>Starts the system and its actors.</summary>
    /// <param name="settings">How many pairs, and how they work.</param>
    /// <param name="share">What each client sends.</param>
    /// <exception cref="WrongAnswerException">An actor answers with something else than it was sent.</exception>
    public static PairSystem Start(PairSettings settings, long share)
    {
        var system = new ActorSystem();
        var dispatcher = new ThreadPoolDispatcher { Throughput = settings.Batch };
        var exchanges = Enumerable.Range(0, settings.Pairs).Select(_ => new Exchange(settings.InFlight, share)).ToArray();
        var destinations = Array.ConvertAll(exchanges, _ => Spawn(() => new Destination()));
        var clients = exchanges.Select((exchange, number) => Spawn(() => new Client(destinations[number], exchange))).ToArray();
        foreach (var actor in destinations.Concat(clients))
        {
            Confirm(system, actor);
        }

        return new PairSystem(system, exchanges, clients);

        PID Spawn(Producer actor) => system.Root.Spawn(Props.FromProducer(actor).WithDispatcher(dispatcher));
    }

    public void Run()
    {
        var run = new Run();
        Array.ForEach(_clients, client => _system.Root.Send(client, run));
    }

    public void Terminate() => _system.ShutdownAsync().GetAwaiter().GetResult();

    private static void Confirm(ActorSystem system, PID actor)
    {
        var started = new Started();
        var answer = system.Root.RequestAsync<object>(actor, started, Patience).GetAwaiter().GetResult();
        if (!ReferenceEquals(answer, started))
        {
            throw new WrongAnswerException($"{actor} answered with {answer}, not with what it was sent.");
        }
    }
}
