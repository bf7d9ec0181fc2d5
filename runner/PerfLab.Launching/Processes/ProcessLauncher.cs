using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching.Processes;

/// <summary>
/// The embedded executor: a launch is a child process in a session of its own, on its cores, in a memory cgroup and a bubblewrap
/// sandbox where the machine offers them. <see cref="Warnings"/> says what it does not.
/// </summary>
public sealed class ProcessLauncher : ILauncher
{
    /// <summary>The variable by which a launch's processes are known.</summary>
    public const string ResultVariable = OutVariables.Result;

    private readonly ProcessExecutorOptions options;
    private readonly LauncherFolder folder;
    private readonly ProcessHost host;
    private readonly ProcessNodes nodes;
    private readonly ProcessTurns turns;

    private ProcessLauncher(ProcessExecutorOptions options, LauncherFolder folder, ProcessHost host) =>
        (this.options, this.folder, this.host, nodes, turns) = (options, folder, host, new(options, host), new(options, host));

    /// <summary>Folders that launchers of this executor left which are gone.</summary>
    public static IReadOnlyList<string> DeadFolders(string temporaryRoot) => [.. LauncherFolder.Dead(temporaryRoot)];

    public string Executor => "process";

    public bool TakesTurns => true;

    public IReadOnlyList<string> Warnings => host.Warnings;

    /// <summary>Looks at the machine once (some 50 ms) and makes the launcher's own temporary folder.</summary>
    public static ProcessLauncher Create(ProcessExecutorOptions? options = null)
    {
        options ??= new ProcessExecutorOptions();
        var own = LauncherFolder.Create(options.TemporaryRoot);
        return new ProcessLauncher(options, own, ProcessHost.Probe(options, own.Support));
    }

    public Task<JsonObject> DescribeAsync(CancellationToken cancellationToken) => Task.FromResult(new JsonObject
    {
        ["executor"] = Executor,
        ["sandbox"] = host.Sandbox is null ? "none" : "bubblewrap",
        ["memoryLimit"] = host.Memory is null ? "none" : host.Memory.Version2 ? "cgroup v2" : "cgroup v1",
        ["allowedCpus"] = CpuList.Format(host.Cpus),
        ["counters"] = LaunchCounters.Describe(),
    });

    public IReadOnlyList<Problem> Problems(RunPlan plan) => ProcessNodes.Problems(plan);

    public IReadOnlyList<Problem> LimitProblems(RunPlan plan) =>
    [
        .. host.Memory is null ? Launching.LimitProblems.WithoutMemoryLimit(plan) : [],
        .. host.Cpus.Count == 0 ? [] : Launching.LimitProblems.Of(plan, new(Cores: MachineRoom.CoresOf(host.Cpus.Count))),
    ];

    /// <summary>Builds are launched where they lie; what dead labs left is killed and removed.</summary>
    public Task PrepareAsync(IReadOnlyCollection<Build> builds, CancellationToken cancellationToken) => Task.Run(
        () =>
        {
            LauncherFolder.RemoveDead(options.TemporaryRoot);
            host.Memory?.RemoveDead();
        },
        cancellationToken);

    public Task<LaunchEnd> LaunchAsync(LaunchSpec launch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (launch.Nodes.Count > 0)
        {
            return nodes.LaunchAsync(launch, cancellationToken);
        }

        if ((Startable.Problem(launch) ?? folder.Renew()) is { } problem)
        {
            return Task.FromResult(LaunchEnd.NotStarted(folder.ResultFile, problem));
        }

        return OnOwnThread(() => new LinuxLaunch(launch, options, folder, host).Run(cancellationToken), cancellationToken);
    }

    public Task<TurnsEnd> LaunchInTurnsAsync(TurnsSpec round, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return turns.LaunchAsync(round, cancellationToken);
    }

    /// <summary>There is no engine that could be gone.</summary>
    public Task<bool> WaitUntilReadyAsync(TimeSpan patience, CancellationToken cancellationToken) => Task.FromResult(true);

    public ValueTask DisposeAsync()
    {
        folder.Delete();
        nodes.Dispose();
        turns.Dispose();
        return ValueTask.CompletedTask;
    }

    // A thread per launch, not one of the pool: it is pinned, and "die with your parent" means the thread that started the program.
    internal static Task<T> OnOwnThread<T>(Func<T> launch, CancellationToken cancellationToken)
    {
        var end = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() =>
        {
            try
            {
                end.SetResult(launch());
            }
            catch (OperationCanceledException)
            {
                end.SetCanceled(cancellationToken);
            }
            catch (Exception e)
            {
                end.SetException(e);
            }
        })
        { IsBackground = true, Name = "launch" }.Start();
        return end.Task;
    }
}
