using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker;

/// <summary>What a container's specification needs beside the launch itself.</summary>
/// <param name="Cpus">Cores to pin to, in the kernel's list form.</param>
/// <param name="Out">What the container sees as /out; null until it is taken.</param>
/// <param name="HostsFile">File on this machine with <see cref="ContainerSpec.Hosts"/>.</param>
/// <param name="CgroupParent">A cgroup of ours that outlives the container, or null where there can't be one.</param>
internal sealed record ContainerPlace(string Image, string Cpus, OutVolume? Out, string HostsFile, string Owner, string? CgroupParent = null)
{
    /// <summary>What the image sets by itself ("NAME=value"); nothing for images of ours.</summary>
    public IReadOnlyList<string> ImageEnvironment { get; init; } = [];

    /// <summary>
    /// Name of a container whose network it shares: another node of the same launch, which has none but its loopback. Null: its own.
    /// </summary>
    public string? NetworkOf { get; init; }

    /// <summary>Folder on this machine with the pipes by which it takes turns; null: it runs alone.</summary>
    public string? Pipes { get; init; }
}

/// <summary>From a launch to the container that the engine is asked for: sealed, and the same for every arm but for what is compared.</summary>
internal static class ContainerSpec
{
    public const string ResultFileName = "result.json";
    public const string ResultPath = "/out/" + ResultFileName;

    /// <summary>Each of at most two log files; a second one means that the launch printed more than this.</summary>
    public const int OutputLimitMebibytes = 8;

    /// <summary>What comes before the name of the container whose network is shared.</summary>
    public const string SharedNetwork = "container:";

    public const string User = "65532:65532";
    private const string HostName = "bench";

    /// <summary>Content of /etc/hosts: the container's own name resolves, and nothing else does. No ::1, which is off in there.</summary>
    public const string Hosts = "127.0.0.1 localhost " + HostName + "\n";

    public static JsonObject From(LaunchSpec launch, ContainerPlace place) => new()
    {
        ["Image"] = place.Image,
        // Always both, so that an image's own ENTRYPOINT and CMD never get in.
        ["Entrypoint"] = new JsonArray(launch.Command[0]),
        ["Cmd"] = Strings(launch.Command.Skip(1)),
        ["WorkingDir"] = "/app",
        ["User"] = User,
        // Who shares a network has that container's name.
        ["Hostname"] = place.NetworkOf is null ? HostName : null,
        // Without it the engine still sets up its part of "no network" by starting itself once more: 0.05 to 0.1 s of every launch. The kernel's
        // new, empty network namespace with the loopback up is the same either way (SealTests); only /etc/hosts is then ours to bring.
        ["NetworkDisabled"] = place.NetworkOf is null,
        ["Env"] = Strings(Environment([.. launch.Environment, .. OutVariables.Of(launch, ResultPath)], place)),
        ["Labels"] = new JsonObject { [Labels.Run] = launch.Session, [Labels.Kind] = "launch", [Labels.Owner] = place.Owner },
        ["StopSignal"] = "SIGTERM",
        ["Healthcheck"] = new JsonObject { ["Test"] = new JsonArray("NONE") }, // an image's own would run beside the measurement
        ["AttachStdin"] = false,
        ["AttachStdout"] = false,
        ["AttachStderr"] = false,
        ["Tty"] = false,
        ["HostConfig"] = Host(launch, place),
    };

    // A name without "=" takes the image's own variable away.
    private static IEnumerable<string> Environment(IReadOnlyList<KeyValuePair<string, string>> set, ContainerPlace place) =>
        set.Select(pair => $"{pair.Key}={pair.Value}").Concat(Images.InheritedSettings.ToRemove(place.ImageEnvironment, set));

    private static JsonObject Host(LaunchSpec launch, ContainerPlace place)
    {
        var host = new JsonObject
        {
            ["NetworkMode"] = place.NetworkOf is { } other ? SharedNetwork + other : "none",
            ["ReadonlyRootfs"] = true,
            ["Tmpfs"] = new JsonObject { ["/tmp"] = "size=64m,nr_inodes=16384,uid=65532,gid=65532,mode=0700" },
            ["Mounts"] = new JsonArray(
            [
                new JsonObject
                {
                    ["Type"] = "volume",
                    ["Source"] = place.Out!.Volume,
                    ["Target"] = "/out",
                    ["VolumeOptions"] = new JsonObject { ["NoCopy"] = true },
                },
                Bound(place.HostsFile, "/etc/hosts"),
                .. Pipes(place.Pipes),
            ]),
            ["CapDrop"] = new JsonArray("ALL"),
            ["SecurityOpt"] = new JsonArray("no-new-privileges"), // seccomp stays the engine's default
            ["Privileged"] = false,
            ["IpcMode"] = "none",
            ["Init"] = true, // reaps, forwards SIGTERM, and lets the kernel's default signal actions work
            ["PidsLimit"] = launch.Resources.Pids,
            ["Memory"] = launch.Resources.MemoryBytes,
            ["MemorySwap"] = launch.Resources.MemoryBytes, // the sum of both: no swap
            ["CpusetCpus"] = place.Cpus, // whole cores, never a quota: throttling is noise
            ["OomScoreAdj"] = 500,
            ["Ulimits"] = new JsonArray(new JsonObject { ["Name"] = "core", ["Soft"] = 0, ["Hard"] = 0 }),
            ["RestartPolicy"] = new JsonObject { ["Name"] = "no" },
            ["AutoRemove"] = false, // it is inspected after its end
            ["LogConfig"] = new JsonObject
            {
                ["Type"] = "json-file",
                ["Config"] = new JsonObject { ["max-size"] = $"{OutputLimitMebibytes}m", ["max-file"] = "2" },
            },
        };
        if (place.CgroupParent is not null)
        {
            host["CgroupParent"] = place.CgroupParent;
        }

        return host;
    }

    /// <summary>A pipe can be written to where no file can: nothing of them comes to lie on this machine's disk.</summary>
    private static IEnumerable<JsonObject> Pipes(string? folder) => folder is null ? []
        : TurnVariables.Files.Select(file => Bound(Path.Combine(folder, file.Value), "/out/" + file.Value));

    private static JsonObject Bound(string file, string target) =>
        new() { ["Type"] = "bind", ["Source"] = file, ["Target"] = target, ["ReadOnly"] = true };

    private static JsonArray Strings(IEnumerable<string> texts) => new(texts.Select(text => (JsonNode)JsonValue.Create(text)).ToArray());
}
