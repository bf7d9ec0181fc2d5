using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Processes;
using PerfLab.Launching.Turns;

namespace PerfLab.Launching.Docker;

/// <summary>Rounds in turns: each arm a sealed container, on the same cores, all but one of them paused by the engine.</summary>
internal sealed class DockerTurns(EngineClient engine, Func<string> newName, LaunchContainer launchOne)
{
    // The last ones are told before they are made, so some may not be there. A container that is paused is removed like any other.
    private const string RemoveContainers =
        "for one in $who; do case $2 in *curl) \"$2\" -s -m 60 -X DELETE ${3:+--unix-socket \"$3\"} \"$4/containers/$one?force=1&v=1\";; "
            + "*) DOCKER_HOST=$3 \"$2\" rm --force --volumes \"$one\";; esac; done >/dev/null 2>&1";

    private const string Instead = "; measure it with --pairing launches, or with --executor process";

    private const UnixFileMode Everybody = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite
        | UnixFileMode.OtherRead | UnixFileMode.OtherWrite;

    private bool _isTried;

    /// <param name="places">One for each arm.</param>
    /// <exception cref="EngineException">The engine does not answer.</exception>
    public async Task<TurnsEnd> LaunchAsync(
        TurnsSpec round, IReadOnlyList<ContainerPlace> places, OutHome home, CancellationToken cancellationToken)
    {
        return await ProblemAsync(places[0].Out!.Keeper.Container, cancellationToken) is { } problem ? NotStarted(places, problem)
            : await ProcessLauncher.OnOwnThread(() => Run(round, places, home, cancellationToken), cancellationToken);
    }

    /// <summary>Once, on a container that only sleeps: so nothing warms up in vain where turns can't be had.</summary>
    private async Task<string?> ProblemAsync(string keeper, CancellationToken cancellationToken)
    {
        if (_isTried)
        {
            return null;
        }

        if (ContainerClock.Of(await engine.InspectContainerAsync(keeper, cancellationToken)) is null)
        {
            return ContainerClock.IsMissing;
        }

        try
        {
            await engine.PauseContainerAsync(keeper, CancellationToken.None);
            await engine.UnpauseContainerAsync(keeper, CancellationToken.None);
        }
        catch (EngineException failure) when (failure.EngineAnswered)
        {
            return $"the engine refuses to pause a container, which turns take: {failure.Detail}";
        }

        _isTried = true;
        return null;
    }

    private TurnsEnd Run(TurnsSpec round, IReadOnlyList<ContainerPlace> places, OutHome home, CancellationToken cancellationToken)
    {
        var (watch, problem) = StartWatch(engine.Endpoint, home.Support, Environment.GetEnvironmentVariable("PATH") ?? "/usr/bin:/bin");
        if (watch is null)
        {
            return NotStarted(places, problem!);
        }

        using (watch)
        {
            var pipes = new List<TurnPipes>();
            try
            {
                var folders = home.RenewPipes(round.Arms.Count);
                pipes.AddRange(folders.Select(folder => TurnPipes.Create(folder, Everybody)));
                var starts = round.Arms.Select((arm, place) => new TurnStart(
                    round.Names[place], arm.Timeout, pipes[place], places[place].Out!.ResultFile,
                    stop => Start(arm with { Timeout = round.Whole }, places[place] with { Pipes = folders[place] }, watch, stop)));
                return new ToldTurns([.. starts], round.Order).Run(cancellationToken);
            }
            finally
            {
                pipes.ForEach(pipe => pipe.Dispose());
            }
        }
    }

    /// <summary>Removes the containers of a round when the lab is gone: of those that are paused nothing ends by itself.</summary>
    /// <param name="folder">Of the lab's own.</param>
    /// <param name="path">Folders of programs.</param>
    internal static (FrozenWatch? Watch, string? Problem) StartWatch(EngineEndpoint engine, string folder, string path) =>
        ProgramPath.Find("curl", path) is { } curl
            ? FrozenWatch.Start(folder, RemoveContainers, curl, engine.SocketPath ?? "", engine.BaseAddress.ToString().TrimEnd('/'))
        : ProgramPath.Find("docker", path) is { } docker ? FrozenWatch.Start(folder, RemoveContainers, docker, engine.ToString())
        : (null, "turns take curl or the docker command in your PATH, to remove paused containers if perf-lab is killed");

    private (Task<LaunchEnd> End, Task<IFreezer?> Freezer) Start(
        LaunchSpec arm, ContainerPlace place, FrozenWatch watch, CancellationToken stop)
    {
        var name = newName();
        watch.Tell(name, name);
        var freezer = new TaskCompletionSource<IFreezer?>(TaskCreationOptions.RunContinuationsAsynchronously);
        return (LaunchAsync(arm, place, name, freezer, stop), freezer.Task);
    }

    private async Task<LaunchEnd> LaunchAsync(
        LaunchSpec arm, ContainerPlace place, string name, TaskCompletionSource<IFreezer?> freezer, CancellationToken stop)
    {
        try
        {
            return await launchOne(arm, place, name, () => freezer.TrySetResult(new ContainerFreezer(engine, name)), stop);
        }
        finally
        {
            freezer.TrySetResult(null);
        }
    }

    private static TurnsEnd NotStarted(IReadOnlyList<ContainerPlace> places, string problem) =>
        TurnsEnd.NotStarted(places.Select(place => place.Out!.ResultFile), problem, Instead);
}
