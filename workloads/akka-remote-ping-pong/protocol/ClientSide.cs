using System.Globalization;
using Akka.Actor;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.AkkaRemote;

/// <summary>
/// The actor system of the clients, associated with the other side before anything is timed. Calls block on purpose: they come from the main
/// thread, and a measurement that went on from an await would sit on a thread of the pool that the actors need.
/// </summary>
internal sealed class ClientSide
{
    private readonly ActorSystem _system;
    private readonly IActorRef[] _clients;
    private readonly int _window;

    private ClientSide(ActorSystem system, int window, Exchange[] exchanges, IActorRef[] clients)
    {
        _system = system;
        _window = window;
        Exchanges = exchanges;
        _clients = clients;
    }

    public Exchange[] Exchanges { get; }

    /// <summary>Messages sent by all clients.</summary>
    public long Sent => Exchanges.Sum(exchange => exchange.Sent);

    /// <summary>Who runs remoting's own actors: threads of its own, or the pool. It changed in Akka.NET 1.5.18.</summary>
    public string RemoteDispatcher => _system.Settings.Config.GetString("akka.remote.default-remote-dispatcher.executor");

    /// <summary>Starts clients that send <paramref name="limit"/> messages each, and deploys their echo actors on the other side; each must echo once.</summary>
    /// <exception cref="WrongAnswerException">An echo actor does not answer with what it was sent.</exception>
    public static ClientSide Start(Settings settings, Address echoSide, long limit)
    {
        var system = Remoting.Listen("SystemA");
        var echo = Props.Create(() => new Echo()).WithDeploy(new Deploy(new RemoteScope(echoSide)));
        var exchanges = Enumerable.Range(0, settings.Clients).Select(_ => new Exchange(settings.Window, limit)).ToArray();
        var clients = exchanges.Select((exchange, number) =>
        {
            var partner = system.ActorOf(echo, Name("echo", number));
            Confirm(partner);
            return system.ActorOf(Props.Create(() => new Client(exchange, partner)), Name("client", number));
        }).ToArray();
        return new ClientSide(system, settings.Window, exchanges, clients);
    }

    /// <summary>Tells every client a window of messages, each of which it passes on: the endpoint can fill its batches from the start.</summary>
    public void Prime()
    {
        foreach (var client in _clients)
        {
            for (var message = 0; message < _window; message++)
            {
                client.Tell(Exchange.Hit, ActorRefs.NoSender);
            }
        }
    }

    public void Terminate() => Remoting.Terminate(_system);

    private static void Confirm(IActorRef echo)
    {
        var answer = echo.Ask<object>(Exchange.Hit, Remoting.Patience).GetAwaiter().GetResult();
        if (answer as string != Exchange.Hit)
        {
            throw new WrongAnswerException($"{echo} answered with '{answer}', not with '{Exchange.Hit}'.");
        }
    }

    private static string Name(string kind, int number) => kind + number.ToString(CultureInfo.InvariantCulture);
}
