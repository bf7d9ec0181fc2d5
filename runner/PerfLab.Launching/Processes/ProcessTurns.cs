using PerfLab.Launching.Turns;
using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>
/// Rounds in turns: each arm a process with a folder and memory of its own, on the same cores, all but one of them frozen.
/// </summary>
internal sealed class ProcessTurns(ProcessExecutorOptions options, ProcessHost host) : IDisposable
{
    private readonly List<LauncherFolder> _folders = [];

    public Task<TurnsEnd> LaunchAsync(TurnsSpec round, CancellationToken cancellationToken)
    {
        while (_folders.Count < round.Arms.Count)
        {
            _folders.Add(LauncherFolder.Create(options.TemporaryRoot));
        }

        var problem = round.Arms.Select(Startable.Problem).Concat(_folders.Take(round.Arms.Count).Select(folder => folder.Renew()))
            .FirstOrDefault(text => text is not null);
        return problem is not null ? Task.FromResult(NotStarted(round, problem))
            : ProcessLauncher.OnOwnThread(() => Run(round, cancellationToken), cancellationToken);
    }

    public void Dispose() => _folders.ForEach(folder => folder.Delete());

    private TurnsEnd Run(TurnsSpec round, CancellationToken cancellationToken)
    {
        var (cpus, unknown) = CpuChoice.From(round.Arms[0].Cpus, round.Arms[0].Resources.Cpus, host.Cpus);
        var (watch, refused) = cpus is null ? (null, unknown) : FrozenWatch.Start(_folders[0].Support, FrozenWatch.KillProcesses);
        if (watch is null)
        {
            return NotStarted(round, refused!);
        }

        using (watch)
        {
            CpuAffinity.PinThisThread(cpus!.Lab);
            var pipes = round.Arms.Select((_, place) => TurnPipes.Create(_folders[place].Output)).ToList();
            try
            {
                return new ToldTurns(
                    [.. round.Arms.Select((arm, place) => new TurnStart(
                        round.Names[place], arm.Timeout, pipes[place], _folders[place].ResultFile,
                        stop => Start(arm with { Timeout = round.Whole }, _folders[place], watch, stop)))], round.Order)
                .Run(cancellationToken);
            }
            finally
            {
                pipes.ForEach(pipe => pipe.Dispose());
            }
        }
    }

    private (Task<LaunchEnd> End, Task<IFreezer?> Freezer) Start(
        LaunchSpec arm, LauncherFolder folder, FrozenWatch watch, CancellationToken stop) =>
        FreezableLaunch.Start(watch, began => new LinuxLaunch(arm, options, folder, host) { Began = began }.Run(stop), stop);

    private TurnsEnd NotStarted(TurnsSpec round, string problem) =>
        TurnsEnd.NotStarted(_folders.Take(round.Arms.Count).Select(folder => folder.ResultFile), problem);
}
