using System.Globalization;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>
/// All nodes of a launch as its first client sees them. In one process there is one of each, and asking is a call.
/// </summary>
internal sealed class Cluster(Launch launch, IActorHost? here)
{
    public const string Sut = "sut", Client = "client";

    public const string Figures = "figures", Collected = "collected", Load = "load", Stop = "stop";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    /// <summary>Clients beside this one.</summary>
    private readonly IReadOnlyList<LaunchNode> _others = [.. launch.Nodes.Of(Client).Where(node => node.Name != launch.Nodes.Self!.Name)];

    private readonly IReadOnlyList<LaunchNode> _suts = launch.Nodes.Of(Sut);

    public int Clients => 1 + _others.Count;

    /// <summary>Every node of the side under test now.</summary>
    /// <param name="collected">After a garbage collection there.</param>
    public IReadOnlyList<NodeFigures> Now(bool collected = false) => here is not null
        ? [NodeFigures.Here(here.Sidecars, collected)]
        : [.. _suts.Select(node => NodeFigures.Parse(Control.Ask(node, launch.Nonce, collected ? Collected : Figures)))];

    /// <summary>Returns when every other node listens, and those that hold actors have shown that they belong to this launch.</summary>
    public void Await()
    {
        foreach (var node in _others.Concat(_suts))
        {
            Control.Await(node, Patience);
        }

        // Before a message goes to actors of somebody else. Other clients show it when they are told to start.
        foreach (var node in _suts)
        {
            Control.Ask(node, launch.Nonce, Figures);
        }
    }

    /// <summary>Has the other clients do what this one is about to do; gives what they saw when they are done.</summary>
    public Task<LoadFigures[]> StartOthers() => Task.WhenAll(_others.Select(node => Task.Factory.StartNew(
        () => LoadFigures.Parse(Control.Ask(node, launch.Nonce, Load)), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)));

    /// <summary>How many actors came to life where, for the evidence: "sut-0 50, sut-1 50".</summary>
    public string Split(IReadOnlyList<NodeFigures> figures) => string.Join(", ", figures.Select((figure, number) =>
        string.Create(CultureInfo.InvariantCulture, $"{(_suts.Count == 0 ? "here" : _suts[number].Name)} {figure.Activated}")));

    /// <summary>Lets every other node end.</summary>
    public void End()
    {
        foreach (var node in _others.Concat(_suts))
        {
            Control.Ask(node, launch.Nonce, Stop);
        }
    }
}
