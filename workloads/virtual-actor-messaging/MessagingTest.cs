using PerfLab.Workloads.VirtualActors;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActorMessaging;

/// <summary>A fixed set of actors, and messages to them: how fast answers come.</summary>
/// <param name="clients">Actors, and senders: all nodes together.</param>
/// <param name="rate">Messages a second of all nodes together; open loop only.</param>
internal sealed class MessagingTest(bool isOpenLoop, int clients, int rate) : IActorTest
{
    private const int Payloads = 64;

    public static MessagingTest Of(Launch launch)
    {
        launch.OfferModes("steady", "faithful");
        launch.Parameters.Choice("nodes", "one", "1+1", "3+3");
        var clients = launch.Parameters.Integer("clients", standard: 30, minimum: 3, maximum: 10_000);
        var rate = launch.Parameters.Integer("rate", standard: 1000, minimum: 3, maximum: 1_000_000);
        Stall.Begin(launch.Parameters.Integer("stall", standard: 0, minimum: 0, maximum: 900));
        launch.Parameters.Check();
        return new MessagingTest(launch.Mode == "steady", clients, rate);
    }

    public LoadFigures Run(Launch launch, IActorClient actors, Share share, Action warmedUp)
    {
        var names = Enumerable.Range(1, share.Part(clients)).Select(number => FormattableString.Invariant($"{share.Node}-{number}")).ToArray();
        var workers = names.Select(_ => new Worker()).ToArray();
        Task.WhenAll(names.Select(name => Check(actors, name))).GetAwaiter().GetResult();

        using var load = new Load(actors, workers, isOpenLoop ? Prepared(names) : number => Fresh(names[number]));
        var sending = isOpenLoop ? load.OpenLoopAsync(rate * (double)names.Length / clients) : load.ClosedLoopAsync();
        return load.Watch(launch, sending, warmedUp);
    }

    public void Report(Launch launch, ActorRun run)
    {
        var load = run.Load;
        load.RefuseErrors();
        if (run.Activated != clients)
        {
            throw new WrongAnswerException($"{run.Activated} actors came to life, expected {clients}.");
        }

        if (!isOpenLoop)
        {
            launch.Prove("inFlight", LittlesLaw.Check(
                load.PerSecond, load.MeanLatency, clients, atTheEdges: load.Latency.Count == 0 ? 0 : load.Latency.Quantile(1) / load.Seconds));
        }

        run.Report(launch, isOpenLoop, "msg");
    }

    private static async Task Check(IActorClient actors, string name)
    {
        if (await actors.PingAsync(name, null) is var answer && answer != Greeter.Expected(null))
        {
            throw new WrongAnswerException($"{name} answered '{answer}' when it came to life.");
        }
    }

    // As in the original: an id is made and compared for every message.
    private static Message Fresh(string actor)
    {
        var name = Guid.NewGuid().ToString("N");
        return new(actor, name, Greeter.Expected(name));
    }

    // Made before anything is measured; each worker goes through all of them, with one number of its own.
    private static Func<int, Message> Prepared(string[] names)
    {
        var payloads = Enumerable.Range(0, Payloads).Select(number => FormattableString.Invariant($"{number * 2654435761L:x32}")).ToArray();
        var answers = Array.ConvertAll(payloads, Greeter.Expected);
        var turns = new int[names.Length];
        return number =>
        {
            var payload = turns[number]++ % Payloads;
            return new(names[number], payloads[payload], answers[payload]);
        };
    }
}
