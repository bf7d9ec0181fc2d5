using System.Diagnostics;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Machine.Facts;

namespace PerfLab.Launching.Docker;

/// <summary>One launch from create to remove. The container goes by its name, which we know even when the answer to create was lost.</summary>
/// <param name="read">Brings what it left from its volume into the folder of that.</param>
internal sealed class ContainerLaunch(
    EngineClient engine, LaunchSpec launch, ContainerPlace place, string name, Func<OutVolume, CancellationToken, Task> read)
{
    private readonly Stopwatch _wall = new();
    private readonly JsonObject _evidence = [];

    /// <summary>What the engine warned of at create: limits that it can't set here.</summary>
    public IReadOnlyList<string> Warnings { get; private set; } = [];

    /// <summary>Called when it runs.</summary>
    public Action? Started { get; init; }

    private string ResultFile => place.Out!.ResultFile;

    /// <exception cref="OperationCanceledException">Cancelled; the container is gone.</exception>
    public async Task<LaunchEnd> RunAsync(CancellationToken cancellationToken)
    {
        LaunchEnd end;
        try
        {
            end = await StartAsync(cancellationToken) ?? await FollowAsync(cancellationToken);
        }
        catch (EngineException failure)
        {
            end = End(failure.Status == System.Net.HttpStatusCode.NotFound
                ? (EndKind.KilledFromOutside, "its container was removed from outside")
                : (EndKind.EngineGone, failure.Message));
        }
        catch (OperationCanceledException)
        {
            await RemoveAsync();
            throw;
        }

        var kept = await RemoveAsync();
        return kept is null ? end : end with { How = EndKind.EngineGone, Reason = $"{end.Reason} {kept}".Trim() };
    }

    /// <summary>Null when it runs; otherwise why the engine refused to start it.</summary>
    private async Task<LaunchEnd?> StartAsync(CancellationToken cancellationToken)
    {
        try
        {
            var spec = ContainerSpec.From(launch, place);
            _evidence["container"] = ContainerSeal.Of(spec);
            LimitEvidence.Write(_evidence, launch);
            (_, Warnings) = await engine.CreateContainerAsync(name, spec, cancellationToken);
            _wall.Start();
            await engine.StartContainerAsync(name, cancellationToken);
            Started?.Invoke();
            return null;
        }
        catch (EngineException failure) when (failure.EngineAnswered)
        {
            return End((EndKind.NotStarted, failure.Message));
        }
    }

    private async Task<LaunchEnd> FollowAsync(CancellationToken cancellationToken)
    {
        var endedBy = await WaitAsync(cancellationToken);
        _wall.Stop();
        if (endedBy != EndedBy.Itself)
        {
            await StopAsync(endedBy, cancellationToken);
        }

        var container = await engine.InspectContainerAsync(name, cancellationToken);
        var state = container.State;
        if (endedBy == EndedBy.Itself && IsFlooded(container))
        {
            endedBy = EndedBy.OutputLimit; // it was quicker than the watch
        }

        await read(place.Out!, cancellationToken);
        var clean = endedBy == EndedBy.Itself && state is { ExitCode: 0, OutOfMemory: false } && File.Exists(ResultFile);
        var tail = clean ? "" : await TailAsync(cancellationToken);
        return End(ExitTable.Judge(state, endedBy, tail), state.ExitCode, tail);
    }

    /// <summary>Sleeps until the container ends, its deadline passes or its output floods.</summary>
    private async Task<EndedBy> WaitAsync(CancellationToken cancellationToken)
    {
        using var enough = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var exit = engine.WaitContainerAsync(name, launch.Timeout, enough.Token);
        var flood = UntilFloodedAsync(enough.Token);
        try
        {
            if (await Task.WhenAny(exit, flood) == flood && flood.IsCompletedSuccessfully)
            {
                return EndedBy.OutputLimit;
            }

            await exit;
            return EndedBy.Itself;
        }
        catch (EngineException failure) when (failure.Fault == EngineFault.TimedOut)
        {
            return EndedBy.Deadline;
        }
        finally
        {
            await enough.CancelAsync();
            await Task.WhenAll(exit, flood).ContinueWith(_ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        }
    }

    private async Task UntilFloodedAsync(CancellationToken cancellationToken)
    {
        // Asked late, so that a short launch is not disturbed at all: where the log is, only the started container knows.
        await Task.Delay(TimeSpan.FromSeconds(1), cancellationToken);
        var container = await engine.InspectContainerAsync(name, cancellationToken);
        if (InnerStatusOf(container) is { } status)
        {
            _evidence["inside"] = status;
        }

        // One look a second costs microseconds; the engine bounds the log itself either way.
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1));
        while (!IsFlooded(container))
        {
            await timer.WaitForNextTickAsync(cancellationToken);
        }
    }

    // It printed more than it may when the engine has begun a second log file. Never seen where the engine's files can't be seen.
    private static bool IsFlooded(ContainerDetails container) => container.LogPath.Length > 0 && File.Exists(container.LogPath + ".1");

    // What the kernel says about the first process while it runs: its cage as it is, not as it was asked for. Null where it can't be seen.
    private static JsonObject? InnerStatusOf(ContainerDetails container)
    {
        var files = new MachineFiles();
        var folder = Invariant($"/proc/{container.State.Pid}");
        // The id in its cgroup proves that it is the same process: an engine in another process namespace counts otherwise.
        return container is { State: { Running: true, Pid: > 0 }, Id.Length: > 0 } && files.Text(folder + "/cgroup")?.Contains(container.Id) == true
            && files.Text(folder + "/status") is { } status ? InnerStatus.Read(status) : null;
    }

    private async Task StopAsync(EndedBy endedBy, CancellationToken cancellationToken)
    {
        try
        {
            if (endedBy == EndedBy.Deadline)
            {
                await engine.StopContainerAsync(name, engine.Deadlines.Grace, cancellationToken);
            }
            else
            {
                await engine.KillContainerAsync(name, cancellationToken);
                await engine.WaitContainerAsync(name, engine.Deadlines.Call, cancellationToken);
            }
        }
        catch (EngineException failure) when (failure.EngineAnswered)
        {
            // It ended at the same moment ("is not running"), or resists: removing it by force comes next either way.
        }
    }

    private async Task<string> TailAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await engine.TailAsync(name, cancellationToken);
        }
        catch (EngineException)
        {
            return ""; // how it ended is known; its last words are a kindness
        }
    }

    /// <summary>Removes the container and makes sure that it is gone; otherwise says what is still there. Never cancelled.</summary>
    private async Task<string?> RemoveAsync()
    {
        try
        {
            if (!await engine.RemoveContainerAsync(name, CancellationToken.None))
            {
                return null;
            }

            await engine.InspectContainerAsync(name, CancellationToken.None);
            return $"The container {name} is still there after it was removed.";
        }
        catch (EngineException failure)
        {
            return failure.Status == System.Net.HttpStatusCode.NotFound
                ? null
                : $"The container {name} could not be removed: {failure.Message}";
        }
    }

    private LaunchEnd End((EndKind How, string? Reason) judged, int? exitCode = null, string tail = "") => new()
    {
        How = judged.How,
        ExitCode = exitCode,
        WallSeconds = _wall.Elapsed.TotalSeconds,
        Tail = OutputTail.Last(tail),
        Reason = judged.Reason,
        ResultFile = ResultFile,
        Evidence = _evidence,
    };
}
