namespace PerfLab.Launching.Docker.Engine;

/// <summary>What was removed from the engine.</summary>
/// <param name="Images">Tags, or ids where there is no tag.</param>
/// <param name="Bytes">Sizes of the images as the engine states them; layers that images share are counted once for each.</param>
public sealed record Removed(
    IReadOnlyList<string> Containers, IReadOnlyList<string> Images, IReadOnlyList<string> Others, long Bytes, IReadOnlyList<string> Problems);

/// <summary>Finds by label and removes. Nothing without a perf-lab label is ever touched.</summary>
internal sealed class Leftovers(EngineClient engine, Owner self, TimeProvider clock)
{
    /// <summary>Containers of processes that are gone, and networks and volumes of sessions without a container.</summary>
    public async Task<Removed> RemoveDeadAsync(CancellationToken cancellationToken)
    {
        var removal = new Removal();
        var live = new HashSet<string>(StringComparer.Ordinal);
        foreach (var container in await engine.ListContainersAsync(Labels.Run, cancellationToken))
        {
            var session = container.Labels.GetValueOrDefault(Labels.Run, "");
            var age = clock.GetUtcNow() - container.Created;
            if (session.Length == 0)
            {
                continue; // an image of a Dockerfile build, run by somebody else: see DockerfileBuilder
            }

            if (self.IsDead(container.Labels.GetValueOrDefault(Labels.Owner), age, pid => ProcessStat.Of(pid)?.Started))
            {
                await removal.TryAsync(removal.Containers, container.Id, () => engine.RemoveContainerAsync(container.Id, cancellationToken));
            }
            else
            {
                live.Add(session);
            }
        }

        await RemoveNetworksAndVolumesAsync(removal, live, cancellationToken);
        return removal.Result;
    }

    /// <summary>Everything that perf-lab made in this engine, also of living sessions: what `clean` is asked for.</summary>
    public async Task<Removed> RemoveAllAsync(CancellationToken cancellationToken)
    {
        var removal = new Removal();
        foreach (var container in await engine.ListContainersAsync(Labels.Run, cancellationToken))
        {
            if (container.Labels.GetValueOrDefault(Labels.Run, "").Length > 0)
            {
                await removal.TryAsync(removal.Containers, container.Id, () => engine.RemoveContainerAsync(container.Id, cancellationToken));
            }
        }

        // The classic builder leaves steps of a build behind when one of them was taken away from it; they never ran.
        foreach (var step in await engine.ListContainersAsync(Labels.Build, cancellationToken))
        {
            if (step.State is "created")
            {
                await removal.TryAsync(removal.Containers, step.Id, () => engine.RemoveContainerAsync(step.Id, cancellationToken));
            }
        }

        await RemoveNetworksAndVolumesAsync(removal, [], cancellationToken);
        foreach (var image in await engine.ListImagesAsync(Labels.Build, cancellationToken))
        {
            if (await removal.TryAsync(removal.Images, image.Name, () => engine.RemoveImageAsync(image.Id, cancellationToken)))
            {
                removal.Bytes += image.Bytes;
            }
        }

        return removal.Result;
    }

    private async Task RemoveNetworksAndVolumesAsync(Removal removal, HashSet<string> live, CancellationToken cancellationToken)
    {
        bool IsDead(IReadOnlyDictionary<string, string> labels) =>
            labels.GetValueOrDefault(Labels.Run, "") is { Length: > 0 } session && !live.Contains(session);

        foreach (var network in await engine.ListNetworksAsync(Labels.Run, cancellationToken))
        {
            if (IsDead(network.Labels))
            {
                await removal.TryAsync(removal.Others, "network " + network.Id, () => engine.RemoveNetworkAsync(network.Id, cancellationToken));
            }
        }

        foreach (var volume in await engine.ListVolumesAsync(Labels.Run, cancellationToken))
        {
            if (IsDead(volume.Labels))
            {
                await removal.TryAsync(removal.Others, "volume " + volume.Name, () => engine.RemoveVolumeAsync(volume.Name, cancellationToken));
            }
        }
    }

    private sealed class Removal
    {
        public List<string> Containers { get; } = [];
        public List<string> Images { get; } = [];
        public List<string> Others { get; } = [];
        public List<string> Problems { get; } = [];
        public long Bytes { get; set; }

        public Removed Result => new(Containers, Images, Others, Bytes, Problems);

        /// <summary>One thing that resists (an image in use) must not keep the others.</summary>
        public async Task<bool> TryAsync(List<string> removed, string what, Func<Task<bool>> remove)
        {
            try
            {
                if (await remove())
                {
                    removed.Add(what);
                    return true;
                }
            }
            catch (EngineException failure) when (failure.EngineAnswered)
            {
                Problems.Add($"{what}: {failure.Detail}");
            }

            return false;
        }
    }
}
