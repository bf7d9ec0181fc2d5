using PerfLab.Workloads.VirtualActors;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActorActivation;

/// <summary>Every message goes to an actor that is not there yet: how fast they come to life, and what one weighs.</summary>
/// <param name="clients">Senders of all nodes together.</param>
/// <param name="activations">Of all nodes together; closed loop only.</param>
/// <param name="rate">Activations a second of all nodes together; open loop only.</param>
internal sealed class ActivationTest(bool isOpenLoop, int clients, int activations, int rate) : IActorTest
{
    public static ActivationTest Of(Launch launch)
    {
        launch.OfferModes("steady", "faithful");
        launch.Parameters.Choice("nodes", "one", "1+1", "3+3");
        var clients = launch.Parameters.Integer("clients", standard: 30, minimum: 3, maximum: 10_000);
        var activations = launch.Parameters.Integer("activations", standard: 10_000, minimum: 300, maximum: 1_000_000);
        var rate = launch.Parameters.Integer("rate", standard: 1000, minimum: 3, maximum: 1_000_000);
        launch.Parameters.Check();
        return new ActivationTest(launch.Mode == "steady", clients, activations, rate);
    }

    public LoadFigures Run(Launch launch, IActorClient actors, Share share, Action warmedUp)
    {
        var workers = Enumerable.Range(0, share.Part(clients)).Select(_ => new Worker()).ToArray();
        return isOpenLoop ? RunOpen(launch, actors, share, workers, warmedUp) : RunClosed(launch, actors, share, workers, warmedUp);
    }

    public void Report(Launch launch, ActorRun run)
    {
        var load = run.Load;
        load.RefuseErrors();
        if (run.Activated != load.Answered)
        {
            throw new WrongAnswerException($"{run.Activated} actors came to life, expected {load.Answered}.");
        }

        var born = run.Activated - run.Before.Sum(node => node.Activated);
        var heap = run.After.Sum(node => node.HeapBytes) - run.Before.Sum(node => node.HeapBytes);
        var resident = run.After.Sum(node => node.ResidentBytes) - run.Before.Sum(node => node.ResidentBytes);
        launch.Prove("residentBytesPerActor", FormattableString.Invariant($"{resident / (double)born:0}"));

        if (!isOpenLoop)
        {
            launch.Report("time", load.Seconds, "s");
            launch.Report("heap", heap / (double)born, "B/actor");
        }

        run.Report(launch, isOpenLoop, "actor");
    }

    /// <summary>As in the original: nothing is warmed up, and it is over when all names are used up.</summary>
    private LoadFigures RunClosed(Launch launch, IActorClient actors, Share share, Worker[] workers, Action warmedUp)
    {
        var names = Enumerable.Range(0, share.Part(activations)).Select(number => Name(share, number)).ToArray();
        warmedUp();
        using var load = new Load(actors, workers, _ => default);
        var processor = LoadFigures.ProcessorSeconds(actors);
        var windows = launch.Once(() =>
        {
            load.AllAsync(names).GetAwaiter().GetResult();
            return workers.Sum(worker => worker.Done);
        });
        return LoadFigures.Of(workers, windows.Count, windows.Seconds, LoadFigures.ProcessorSeconds(actors) - processor, kept: names);
    }

    private LoadFigures RunOpen(Launch launch, IActorClient actors, Share share, Worker[] workers, Action warmedUp)
    {
        var born = 0;
        using var load = new Load(actors, workers, _ => Message.Activate(Name(share, Interlocked.Increment(ref born))));
        var sending = load.OpenLoopAsync(rate * (double)workers.Length / clients);
        return load.Watch(launch, sending, warmedUp);
    }

    // As long as the ids of the original, and the same in every launch.
    private static string Name(Share share, int number) => FormattableString.Invariant($"{share.Node}-{number * 2654435761L:x24}");
}
