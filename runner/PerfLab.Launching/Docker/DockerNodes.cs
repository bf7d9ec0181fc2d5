using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Docker.Containers;
using PerfLab.Launching.Nodes;

namespace PerfLab.Launching.Docker;

/// <summary>Launches one container.</summary>
/// <param name="started">Called when it runs; null: nobody waits for that.</param>
internal delegate Task<LaunchEnd> LaunchContainer(
    LaunchSpec launch, ContainerPlace place, string name, Action? started, CancellationToken cancellationToken);

/// <summary>
/// Launches of several nodes: each is a sealed container, and all share the network of the first, which has nothing but its loopback.
/// </summary>
internal sealed class DockerNodes(Func<ResultFolder> newFolder, Func<string> newName, LaunchContainer launchOne) : IDisposable
{
    private readonly List<ResultFolder> folders = [];

    /// <summary>How long a node that could not start waits for the end of the first, whose network it needed.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(10);

    /// <param name="place">Of all of them: the cores are divided, the folder is each one's own.</param>
    public async Task<LaunchEnd> LaunchAsync(LaunchSpec launch, ContainerPlace place, CancellationToken cancellationToken)
    {
        while (folders.Count < launch.Nodes.Count)
        {
            folders.Add(newFolder());
        }

        var programs = NodePrograms.OnOneLoopback(launch, CpuList.TryParse(place.Cpus, out var cpus) ? cpus : []);
        var first = new First(newName());
        var starts = launch.Nodes.Select((node, number) => Start(node, programs[number], number == 0, first, place with
        {
            Cpus = programs[number].Cpus!,
            OutFolder = folders[number].Renew(),
            NetworkOf = number == 0 ? null : first.Name,
        }));
        return await new NodesLaunch([.. starts]).RunAsync(cancellationToken);
    }

    public void Dispose() => folders.ForEach(folder => folder.Dispose());

    private NodeStart Start(PlannedNode node, LaunchSpec program, bool isFirst, First first, ContainerPlace place) => new(
        node.Name, node.Role, Path.Combine(place.OutFolder, ContainerSpec.ResultFileName),
        stop => isFirst ? LaunchFirstAsync(program, place, first, stop) : LaunchLaterAsync(program, place, first, stop),
        () => File.Exists(Path.Combine(place.OutFolder, NodeVariables.ReadyFile)));

    private async Task<LaunchEnd> LaunchFirstAsync(LaunchSpec program, ContainerPlace place, First first, CancellationToken stop)
    {
        try
        {
            return await launchOne(program, place, first.Name, () => first.Runs.TrySetResult(), stop);
        }
        finally
        {
            first.Runs.TrySetResult(); // or never did: then those who wait hear it from the engine
            first.Ended.TrySetResult();
        }
    }

    /// <summary>
    /// The engine lets nobody into the network of a container that does not run yet, or no more. What it refuses while the first is
    /// ending is told after that end, so that not the refused node but the first is what went wrong.
    /// </summary>
    private async Task<LaunchEnd> LaunchLaterAsync(LaunchSpec program, ContainerPlace place, First first, CancellationToken stop)
    {
        await first.Runs.Task.WaitAsync(stop);
        var end = await launchOne(program, place, newName(), null, stop);
        if (end.How == EndKind.NotStarted)
        {
            await Task.WhenAny(first.Ended.Task, Task.Delay(Patience, stop));
        }

        return end;
    }

    private sealed record First(string Name)
    {
        public TaskCompletionSource Runs { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
