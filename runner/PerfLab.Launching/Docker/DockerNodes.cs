using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker;

/// <summary>Launches one container.</summary>
/// <param name="started">Called when it runs; null: nobody waits for that.</param>
internal delegate Task<LaunchEnd> LaunchContainer(
    LaunchSpec launch, ContainerPlace place, string name, Action? started, CancellationToken cancellationToken);

/// <summary>
/// Launches of several nodes: each is a sealed container, and all share the network of the first, which has nothing but its loopback.
/// </summary>
/// <param name="hasFile">Whether a node that runs has left a file by now.</param>
internal sealed class DockerNodes(
    Func<string> newName, LaunchContainer launchOne, Func<OutVolume, string, CancellationToken, Task<bool>> hasFile)
{
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(25);

    /// <summary>How long a node that could not start waits for the end of the first, whose network it needed.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(10);

    /// <param name="place">Of all of them: the cores are divided.</param>
    /// <param name="outs">One for each.</param>
    public async Task<LaunchEnd> LaunchAsync(
        LaunchSpec launch, ContainerPlace place, IReadOnlyList<OutVolume> outs, CancellationToken cancellationToken)
    {
        var programs = NodePrograms.OnOneLoopback(launch, CpuList.TryParse(place.Cpus, out var cpus) ? cpus : []);
        var first = new First(newName());
        var starts = launch.Nodes.Select((node, number) => Start(node, programs[number], number == 0, first, place with
        {
            Cpus = programs[number].Cpus!,
            Out = outs[number],
            NetworkOf = number == 0 ? null : first.Name,
        }));
        return await new NodesLaunch([.. starts]).RunAsync(cancellationToken);
    }

    private NodeStart Start(PlannedNode node, LaunchSpec program, bool isFirst, First first, ContainerPlace place)
    {
        Task<bool>? ready = null;
        return new(
            node.Name, node.Role, place.Out!.ResultFile,
            stop => isFirst ? LaunchFirstAsync(program, place, first, stop) : LaunchLaterAsync(program, place, first, stop),
            () =>
            {
                // Asked only while others wait for it, one question at a time.
                if (ready is null or { IsCompleted: true, Result: false })
                {
                    ready = IsReadyAsync(place.Out!);
                }

                // Once it has ended, what it left is here.
                return ready is { IsCompleted: true, Result: true }
                    || File.Exists(Path.Combine(place.Out!.Folder, NodeVariables.ReadyFile));
            });
    }

    private async Task<bool> IsReadyAsync(OutVolume place)
    {
        await Task.Delay(Look);
        try
        {
            return await hasFile(place, NodeVariables.ReadyFile, CancellationToken.None);
        }
        catch (EngineException)
        {
            return false; // an engine that is gone says so where the node itself is waited for
        }
    }

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
