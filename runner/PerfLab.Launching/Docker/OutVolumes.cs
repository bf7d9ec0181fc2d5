using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker;

/// <summary>The one writable place of a launch, which it sees as /out.</summary>
/// <param name="Volume">The engine's name for it.</param>
/// <param name="Keeper">The container that holds it mounted, and where.</param>
/// <param name="Folder">On this machine: empty until the launch has ended and what it left has been read.</param>
internal sealed record OutVolume(string Volume, (string Container, string Path) Keeper, string Folder)
{
    public string ResultFile => Path.Combine(Folder, ContainerSpec.ResultFileName);
}

/// <summary>
/// Gives each launch an empty volume in memory, limited in bytes and files by the kernel, and reads through the engine what the launch
/// left there: nothing that a workload writes comes to lie on this machine's disk as it wrote it. Whoever may use an engine may use such
/// volumes, so nothing here asks for root. A volume in memory is empty again once nobody has it mounted; that is why a keeper holds them,
/// a container of ours that only sleeps.
/// </summary>
internal sealed class OutVolumes(EngineClient engine, string keeperImage, OutHome home, string owner, Func<string> newName)
{
    // Room for a result, the JIT's list and a trace of one launch; it counts against the workload's own memory limit.
    private const string Limits = "size=64m,nr_inodes=64,uid=65532,gid=65532,mode=0700,nosuid,nodev,noexec";

    /// <summary>
    /// Starting a keeper takes as long as a launch, so one holds several. What a launch left stays in memory until its keeper goes.
    /// </summary>
    private const int AtOnce = 8;

    private (string Name, string Session)? _keeper;
    private IReadOnlyList<string> _volumes = [];
    private int _used;

    /// <summary>As many places as a launch has programs. What the last launch left is gone then.</summary>
    /// <exception cref="EngineException">The engine can't make them.</exception>
    public async Task<IReadOnlyList<OutVolume>> TakeAsync(string session, int count, CancellationToken cancellationToken)
    {
        if (_keeper?.Session != session || _used + count > _volumes.Count)
        {
            await RemoveAsync(cancellationToken);
            await StartKeeperAsync(session, Math.Max(count, AtOnce), cancellationToken);
        }

        var folders = home.Renew(count);
        return [.. folders.Select(folder => Place(_used++, folder))];
    }

    /// <summary>Brings what a launch left into its folder here.</summary>
    /// <exception cref="EngineException">It can't be read.</exception>
    public async Task ReadAsync(OutVolume volume, CancellationToken cancellationToken)
    {
        var (container, path) = volume.Keeper;
        Task<bool> Unpack(Stream tar, CancellationToken token) => LeftFiles.UnpackAsync(tar, volume.Folder, token);
        var complete = await engine.ReadFilesAsync(container, path, Unpack, cancellationToken);
        if (!complete && !Path.Exists(volume.ResultFile) && await HasAsync(volume, ContainerSpec.ResultFileName, cancellationToken))
        {
            await engine.ReadFilesAsync(container, $"{path}/{ContainerSpec.ResultFileName}", Unpack, cancellationToken);
        }

        if (!(await engine.InspectContainerAsync(container, cancellationToken)).State.Running)
        {
            const string lost = "the container that kept it has ended, and with it what it kept.";
            throw new EngineException(EngineFault.Cut, $"what a launch left in {container}", lost);
        }
    }

    /// <summary>Whether a launch that runs has left a file by now.</summary>
    public Task<bool> HasAsync(OutVolume volume, string file, CancellationToken cancellationToken) =>
        engine.HasFileAsync(volume.Keeper.Container, $"{volume.Keeper.Path}/{file}", cancellationToken);

    /// <summary>Takes keeper and volumes away.</summary>
    /// <exception cref="EngineException">The engine does not answer; a later session removes what is left, by its labels.</exception>
    public async Task RemoveAsync(CancellationToken cancellationToken)
    {
        if (_keeper is { } keeper)
        {
            await engine.RemoveContainerAsync(keeper.Name, cancellationToken);
            _keeper = null;
        }

        foreach (var volume in _volumes)
        {
            await engine.RemoveVolumeAsync(volume, cancellationToken);
        }

        _volumes = [];
    }

    private async Task StartKeeperAsync(string session, int count, CancellationToken cancellationToken)
    {
        var name = newName();
        // Known before they are made: whatever happens next, they are taken away.
        (_keeper, _used) = ((name, session), 0);
        _volumes = [.. Enumerable.Range(0, count).Select(number => Invariant($"{name}-out-{number}"))];
        await engine.CreateContainerAsync(name, Spec(session), cancellationToken);
        await engine.StartContainerAsync(name, cancellationToken);
    }

    private OutVolume Place(int number, string folder) => new(_volumes[number], (_keeper!.Value.Name, PathOf(number)), folder);

    private static string PathOf(int number) => Invariant($"/out{number}");

    private JsonObject Spec(string session) => new()
    {
        ["Image"] = keeperImage,
        ["Entrypoint"] = new JsonArray(Images.KeeperImage.Program),
        ["User"] = ContainerSpec.User,
        ["NetworkDisabled"] = true,
        ["Labels"] = LabelsOf(session, "keeper"),
        ["HostConfig"] = new JsonObject
        {
            ["NetworkMode"] = "none",
            ["ReadonlyRootfs"] = true,
            ["CapDrop"] = new JsonArray("ALL"),
            ["SecurityOpt"] = new JsonArray("no-new-privileges"),
            ["IpcMode"] = "none",
            ["LogConfig"] = new JsonObject { ["Type"] = "none" },
            ["Mounts"] = new JsonArray([.. _volumes.Select((volume, number) => (JsonNode)new JsonObject
            {
                ["Type"] = "volume",
                ["Source"] = volume,
                ["Target"] = PathOf(number),
                ["VolumeOptions"] = new JsonObject
                {
                    ["NoCopy"] = true,
                    ["Labels"] = LabelsOf(session, "out"),
                    ["DriverConfig"] = new JsonObject
                    {
                        ["Name"] = "local",
                        ["Options"] = new JsonObject { ["type"] = "tmpfs", ["device"] = "tmpfs", ["o"] = Limits },
                    },
                },
            })]),
        },
    };

    private JsonObject LabelsOf(string session, string kind) =>
        new() { [Labels.Run] = session, [Labels.Kind] = kind, [Labels.Owner] = owner };
}
