using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker;

/// <summary>What a docker executor is told once.</summary>
public sealed record DockerSettings
{
    /// <summary>Absolute path of a folder of ours (".perf-lab") for base images, result folders and scratch files.</summary>
    public required string StoreFolder { get; init; }

    /// <summary>An image that the engine has or can pull, to stand under every workload; null leaves it to perf-lab.</summary>
    public string? BaseImage { get; init; }

    /// <summary>A file with the bases, which came with the builds: then none is made or pulled here.</summary>
    public string? BasePack { get; init; }

    /// <summary>Null means DOCKER_HOST, otherwise the default socket.</summary>
    public EngineEndpoint? Endpoint { get; init; }

    public EngineDeadlines Deadlines { get; init; } = new();

    /// <summary>Takes a line for people; nobody by default.</summary>
    public Action<string> Say { get; init; } = _ => { };
}
