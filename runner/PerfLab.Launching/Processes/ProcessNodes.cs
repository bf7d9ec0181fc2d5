using PerfLab.Core.Files;
using PerfLab.Core.Planning.Plans;
using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>
/// Launches of several nodes: each a process with folder, cores and memory of its own, all in one network that is made for the launch.
/// Without such a network two launches could meet on one port, and nodes could be reached from the machine: then there is no launch.
/// </summary>
internal sealed class ProcessNodes(ProcessExecutorOptions options, ProcessHost host) : IDisposable
{
    private readonly List<LauncherFolder> folders = [];

    /// <summary>What of a plan can't be launched here.</summary>
    public static IReadOnlyList<Problem> Problems(RunPlan plan)
    {
        var asking = plan.Cells.FirstOrDefault(cell => cell.Unavailable is null && cell.Arms.Any(arm => arm.Nodes is not null));
        if (asking is null)
        {
            return [];
        }

        var (network, problem) = NetworkNamespace.TryCreate();
        network?.Dispose();
        return problem is null ? [] : [new(
            "--executor", $"{asking.Workload} has several nodes, which need a network of their own: {problem}.",
            "Take --executor docker, or run as root.")];
    }

    public async Task<LaunchEnd> LaunchAsync(LaunchSpec launch, CancellationToken cancellationToken)
    {
        while (folders.Count < launch.Nodes.Count)
        {
            folders.Add(LauncherFolder.Create(options.TemporaryRoot));
        }

        if (folders.Take(launch.Nodes.Count).Select(folder => folder.Renew()).Prepend(Startable.Problem(launch))
            .FirstOrDefault(text => text is not null) is { } problem)
        {
            return LaunchEnd.NotStarted(folders[0].ResultFile, problem);
        }

        var (cpus, unknown) = CpuChoice.From(launch.Cpus, NodePrograms.Together(launch).Cpus, host.Cpus);
        var (network, refused) = NetworkNamespace.TryCreate();
        using (network)
        {
            if (cpus is null || network is null)
            {
                return LaunchEnd.NotStarted(folders[0].ResultFile, unknown ?? refused!);
            }

            var programs = NodePrograms.OnOneLoopback(launch, cpus.Workload);
            var starts = launch.Nodes.Select((node, number) => Start(node, programs[number], folders[number], network));
            return await new NodesLaunch([.. starts]).RunAsync(cancellationToken);
        }
    }

    public void Dispose() => folders.ForEach(folder => folder.Delete());

    private NodeStart Start(PlannedNode node, LaunchSpec program, LauncherFolder folder, NetworkNamespace network) => new(
        node.Name, node.Role, folder.ResultFile,
        stop => ProcessLauncher.OnOwnThread(() => new LinuxLaunch(program, options, folder, host, network).Run(stop), stop),
        () => File.Exists(Path.Combine(folder.Output, NodeVariables.ReadyFile)));
}
