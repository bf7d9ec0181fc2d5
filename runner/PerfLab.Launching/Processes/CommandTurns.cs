using PerfLab.Launching.Turns;

namespace PerfLab.Launching.Processes;

/// <summary>Rounds of commands in turns: each a launch with a folder of its own, cut by the clock, all but one frozen.</summary>
/// <param name="find">What can be started in a folder, or why it can't.</param>
/// <param name="newFolder">Of the lab's own.</param>
/// <param name="clock">By which they are cut.</param>
internal sealed class CommandTurns(
    Func<LaunchSpec, LauncherFolder, (CommandLaunch? Launch, string? Problem)> find, Func<LauncherFolder> newFolder, TimeProvider clock)
    : IDisposable
{
    private readonly List<LauncherFolder> _folders = [];

    public Task<TurnsEnd> LaunchAsync(TurnsSpec round, CancellationToken cancellationToken)
    {
        while (_folders.Count < round.Arms.Count)
        {
            _folders.Add(newFolder());
        }

        var found = round.Arms.Select((arm, place) => find(arm with { Timeout = round.Whole }, _folders[place])).ToList();
        return found.Select(one => one.Problem).FirstOrDefault(text => text is not null) is { } problem
            ? Task.FromResult(NotStarted(round, problem))
            : ProcessLauncher.OnOwnThread(() => Run(round, [.. found.Select(one => one.Launch!)], cancellationToken), cancellationToken);
    }

    public void Dispose() => _folders.ForEach(folder => folder.Delete());

    private TurnsEnd Run(TurnsSpec round, IReadOnlyList<CommandLaunch> launches, CancellationToken cancellationToken)
    {
        var (watch, refused) = FrozenWatch.Start(_folders[0].Support, FrozenWatch.KillProcesses);
        if (watch is null)
        {
            return NotStarted(round, refused!);
        }

        using (watch)
        {
            var starts = round.Arms.Select((arm, place) => new TurnStart(
                round.Names[place], arm.Timeout, Pipes: null, _folders[place].ResultFile,
                stop => FreezableLaunch.Start(watch, began => launches[place].Run(began, stop), stop)));
            return new CutTurns([.. starts], round.Order, TimeSpan.FromSeconds(round.Arms[0].Turns!.SliceSeconds), clock)
                .Run(cancellationToken);
        }
    }

    private TurnsEnd NotStarted(TurnsSpec round, string problem) =>
        TurnsEnd.NotStarted(_folders.Take(round.Arms.Count).Select(folder => folder.ResultFile), problem);
}
