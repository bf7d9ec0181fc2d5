using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker;

// What is left of launches, and how it goes.
public sealed partial class DockerLauncher
{
    /// <summary>Waits until the engine answers and holds no container of this launcher any more.</summary>
    public async Task<bool> WaitUntilReadyAsync(TimeSpan patience, CancellationToken cancellationToken)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        deadline.CancelAfter(patience);
        var pause = TimeSpan.FromMilliseconds(100);
        try
        {
            while (!await TryCleanAsync(deadline.Token))
            {
                await Task.Delay(pause, deadline.Token);
                pause = TimeSpan.FromMilliseconds(Math.Min(2 * pause.TotalMilliseconds, 2_000));
            }

            return true;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return false;
        }
    }

    /// <summary>
    /// Removes every container and image that perf-lab made in the engine, and its base images and scratch files on disk; also those of
    /// living sessions, so nothing may be measuring.
    /// </summary>
    /// <exception cref="EngineException">The engine does not answer as one.</exception>
    public async Task<Removed> CleanAsync(CancellationToken cancellationToken)
    {
        var removed = await _leftovers.RemoveAllAsync(cancellationToken);
        return removed with { Bytes = removed.Bytes + StoreFiles.RemoveBasesAndScratch(_settings.StoreFolder) };
    }

    public async ValueTask DisposeAsync()
    {
        if (_facts is not null)
        {
            await TryCleanAsync(CancellationToken.None);
        }

        LaunchCgroup.Remove(NamePrefix); // of containers that outlived their engine
        _home?.Dispose();
        _engine.Dispose();
    }

    private async Task<bool> TryCleanAsync(CancellationToken cancellationToken)
    {
        try
        {
            foreach (var container in await _engine.ListContainersAsync($"{Labels.Owner}={OwnerLabel}", cancellationToken))
            {
                await _engine.RemoveContainerAsync(container.Id, cancellationToken);
            }

            // Last: no engine removes a volume that a container has, and an engine that was killed leaves the launch's behind.
            await (_outs?.RemoveAsync(cancellationToken) ?? Task.CompletedTask);

            return true;
        }
        catch (EngineException)
        {
            return false;
        }
    }
}
