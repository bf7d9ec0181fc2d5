namespace PerfLab.Launching.Docker.Engine;

/// <summary>
/// How a container is or ended, as the engine says. <paramref name="Error"/> is why it could not be started, <paramref name="LogPath"/>
/// the json-file log on the engine's machine; both empty where there is none.
/// </summary>
internal sealed record ContainerState(bool Running, int ExitCode, bool OutOfMemory, string Error, string LogPath)
{
    /// <summary>The full id, by which its processes' cgroups are known.</summary>
    public string Id { get; init; } = "";

    /// <summary>Process id of its first process, as the engine's machine counts; 0 when it does not run.</summary>
    public long Pid { get; init; }
}

/// <summary>A container in a list. <paramref name="State"/> is the engine's word: "created", "running", "exited" …</summary>
internal sealed record ContainerSummary(string Id, string State, IReadOnlyDictionary<string, string> Labels, DateTimeOffset Created);

/// <summary>An image in a list.</summary>
internal sealed record ImageSummary(string Id, long Bytes, IReadOnlyList<string> Tags, IReadOnlyDictionary<string, string> Labels)
{
    /// <summary>For people: the tag of its build, another one, or the id.</summary>
    public string Name => Tags.Where(tag => !tag.StartsWith('<')).OrderByDescending(tag => tag.StartsWith("perf-lab/build:", StringComparison.Ordinal)).FirstOrDefault() ?? Id;
}

/// <summary>An image as inspected. <paramref name="DiffIds"/> name its layers by content, whatever store the engine has.</summary>
internal sealed record ImageDetails(
    string Id, string Architecture, string System, IReadOnlyList<string> DiffIds, IReadOnlyList<string> Volumes, IReadOnlyList<string> Environment);

/// <summary>What the engine says of itself.</summary>
internal sealed record EngineVersion(string Version, string ApiVersion, string MinApiVersion, string Kernel);

/// <summary>Reads members of an answer; a missing or mistyped one is a malformed answer, never a null reference.</summary>
internal sealed class Answer(JsonNode? node, string asked)
{
    private readonly JsonObject _object = node as JsonObject
        ?? throw new EngineException(EngineFault.Malformed, asked, $"{Kind(node)} instead of an object.");

    public string Text(string name) => Read<string>(name);

    public bool Flag(string name) => Read<bool>(name);

    public long Number(string name) => Read<long>(name);

    public Answer Child(string name) => new(_object[name], $"{asked}, {name}");

    public string TextOr(string name, string fallback) => _object[name] is null ? fallback : Read<string>(name);

    public long NumberOr(string name, long fallback) => _object[name] is null ? fallback : Read<long>(name);

    public IReadOnlyList<string> Texts(string name) => _object[name] switch
    {
        null => [],
        JsonArray array => array.Select(item => item is JsonValue value && value.TryGetValue<string>(out var text) ? text : throw Wrong(name)).ToArray(),
        _ => throw Wrong(name),
    };

    /// <summary>Names of an object's members; none when it is null or missing.</summary>
    public IReadOnlyList<string> Names(string name) => _object[name] is JsonObject members ? members.Select(member => member.Key).ToArray() : [];

    public IReadOnlyDictionary<string, string> Map(string name) => _object[name] is JsonObject members
        ? members.Where(member => member.Value is JsonValue).ToDictionary(member => member.Key, member => member.Value!.ToString(), StringComparer.Ordinal)
        : new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>The elements of an answer that is a list; null counts as an empty one, as older engines send it.</summary>
    public static IEnumerable<Answer> Each(JsonNode? list, string asked) => list switch
    {
        null => [],
        JsonArray array => array.Select(item => new Answer(item, asked)),
        _ => throw new EngineException(EngineFault.Malformed, asked, $"{Kind(list)} instead of a list."),
    };

    public IEnumerable<Answer> Items(string name) => Each(_object[name], $"{asked}, {name}");

    private T Read<T>(string name) => _object[name] is JsonValue value && value.TryGetValue<T>(out var result) ? result : throw Wrong(name);

    private EngineException Wrong(string name) =>
        new(EngineFault.Malformed, asked, $"the member \"{name}\" is {Kind(_object[name])}.");

    private static string Kind(JsonNode? node) => node?.GetValueKind() switch
    {
        null => "missing or null",
        JsonValueKind kind => $"of kind {kind}",
    };
}
