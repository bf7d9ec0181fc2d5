using System.Collections.ObjectModel;
using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Launching.Docker.Engine;

// What we read of the engine's answers, under the engine's names. A member that we need and that is missing or of another kind makes the
// answer malformed; Go writes empty lists and maps as null.

/// <summary>How answers are read: members that we don't know are passed over.</summary>
internal static class EngineAnswer<T>
    where T : class
{
    public static FileFormat<T> Format { get; } = new("", "an answer of the engine") { IsForeign = true, Names = null };
}

/// <summary>What carries labels.</summary>
internal abstract record Labelled
{
    [JsonPropertyName("Labels")]
    public IReadOnlyDictionary<string, string>? LabelsOrNull { get; init; }

    [JsonIgnore]
    public IReadOnlyDictionary<string, string> Labels => LabelsOrNull ?? ReadOnlyDictionary<string, string>.Empty;
}

/// <summary>
/// How a container is or ended. <paramref name="Error"/> is why it could not be started; empty where there is nothing to say.
/// </summary>
/// <param name="Pid">Process id of its first process, as the engine's machine counts; 0 when it does not run.</param>
internal sealed record ContainerState(bool Running, int ExitCode, [property: JsonPropertyName("OOMKilled")] bool OutOfMemory, string Error = "", long Pid = 0);

/// <summary>A container as inspected.</summary>
/// <param name="Id">The full id, by which its processes' cgroups are known.</param>
/// <param name="LogPath">The json-file log on the engine's machine; empty where there is none.</param>
internal sealed record ContainerDetails(ContainerState State, string Id = "", string LogPath = "");

/// <summary>A container in a list. <paramref name="State"/> is the engine's word: "created", "running", "exited" …</summary>
internal sealed record ContainerSummary(string Id, [property: JsonPropertyName("Created"), Range(0, 253_402_300_799)] long CreatedSeconds, string State = "") : Labelled
{
    [JsonIgnore]
    public DateTimeOffset Created => DateTimeOffset.FromUnixTimeSeconds(CreatedSeconds);
}

internal sealed record CreatedContainer(string Id, IReadOnlyList<string>? Warnings = null);

internal sealed record EndedContainer(int StatusCode);

/// <summary>An image in a list.</summary>
internal sealed record ImageSummary(
    string Id, [property: JsonPropertyName("Size")] long Bytes = 0, [property: JsonPropertyName("RepoTags")] IReadOnlyList<string>? TagsOrNull = null) : Labelled
{
    [JsonIgnore]
    public IReadOnlyList<string> Tags => TagsOrNull ?? [];

    /// <summary>For people: the tag of its build, another one, or the id.</summary>
    [JsonIgnore]
    public string Name => Tags.Where(tag => !tag.StartsWith('<')).OrderByDescending(tag => tag.StartsWith("perf-lab/build:", StringComparison.Ordinal)).FirstOrDefault() ?? Id;
}

/// <summary>An image as inspected.</summary>
internal sealed record ImageDetails(string Id, [property: JsonPropertyName("RootFS")] ImageLayers Root, ImageSettings Config, string Architecture = "", [property: JsonPropertyName("Os")] string System = "",
    [property: JsonPropertyName("RepoDigests")] IReadOnlyList<string>? DigestsOrNull = null)
{
    /// <summary>By which digest registries know it; empty for one that was never pulled.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> Digests => DigestsOrNull ?? [];

    /// <summary>They name the layers by content, whatever store the engine has.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> DiffIds => Root.Layers ?? [];

    [JsonIgnore]
    public IReadOnlyList<string> Volumes => [.. Config.Volumes?.Keys ?? []];

    [JsonIgnore]
    public IReadOnlyList<string> Environment => Config.Env ?? [];
}

internal sealed record ImageLayers(IReadOnlyList<string>? Layers = null);

internal sealed record ImageSettings(IReadOnlyDictionary<string, JsonElement>? Volumes = null, IReadOnlyList<string>? Env = null);

internal sealed record NetworkSummary(string Id) : Labelled;

internal sealed record VolumeSummary(string Name) : Labelled;

internal sealed record VolumeList(IReadOnlyList<VolumeSummary>? Volumes = null);

/// <summary>What the engine says of itself.</summary>
internal sealed record EngineVersion(
    string Version, string ApiVersion, [property: JsonPropertyName("MinAPIVersion")] string MinApiVersion = EngineClient.OldestApi, [property: JsonPropertyName("KernelVersion")] string Kernel = "");

/// <summary>What it can do; null where it does not say.</summary>
internal sealed record EngineInfo(
    bool? MemoryLimit = null,
    bool? SwapLimit = null,
    bool? PidsLimit = null,
    [property: JsonPropertyName("CPUSet")] bool? CpuSet = null,
    [property: JsonPropertyName("NCPU")] int? Cpus = null,
    string? Driver = null,
    string? CgroupDriver = null,
    string? CgroupVersion = null,
    string? DefaultRuntime = null,
    IReadOnlyList<string>? SecurityOptions = null);

/// <summary>Why it refused.</summary>
internal sealed record Refusal([property: JsonPropertyName("message")] string Message);

/// <summary>One step of something long.</summary>
internal sealed record Progress(
    [property: JsonPropertyName("error")] string? Error = null, [property: JsonPropertyName("stream")] string? Stream = null, [property: JsonPropertyName("aux")] BuiltImage? Image = null);

internal sealed record BuiltImage([property: JsonPropertyName("ID")] string? Id = null);
