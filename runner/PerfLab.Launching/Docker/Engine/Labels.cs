namespace PerfLab.Launching.Docker.Engine;

/// <summary>Labels on everything that perf-lab makes in an engine. Nothing without one of them is ever touched.</summary>
internal static class Labels
{
    /// <summary>Session id, on containers (and on networks and volumes of a session). Empty means: not of a session.</summary>
    public const string Run = "perf-lab.run";

    /// <summary>Which process started it, on containers: see <see cref="Owner"/>.</summary>
    public const string Owner = "perf-lab.owner";

    /// <summary>What a container is for: "launch", or "keeper" of what launches write; on such a volume "out".</summary>
    public const string Kind = "perf-lab.kind";

    /// <summary>Build identity, on images. Containers inherit it, so it never marks a container.</summary>
    public const string Build = "perf-lab.build";

    /// <summary>Digest of the base layer, on images.</summary>
    public const string Base = "perf-lab.base";
}
