using PerfLab.Launching;

namespace PerfLab.Kubernetes;

/// <summary>How a pod ended, as the API server tells it.</summary>
internal sealed record PodEnd(EndKind How, int? ExitCode, string? Reason);

/// <summary>What the API server last said of one pod of a launch.</summary>
/// <param name="Json">The whole pod; nothing in it is believed to be there.</param>
/// <param name="IsGone">It was deleted.</param>
internal sealed record PodSight(JsonObject Json, bool IsGone)
{
    // The container was never made: no image, no right to run like this, a volume that is not there.
    private static readonly HashSet<string> NoContainer = new(StringComparer.Ordinal)
    {
        "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable",
        "CreateContainerConfigError", "CreateContainerError", "RunContainerError", "StartError",
    };

    public string Name => Text(Json, "metadata", "name") ?? "";

    /// <summary>Which node of the launch it is.</summary>
    public string Node => Text(Json, "metadata", "labels", "perf-lab/node") ?? "";

    /// <summary>The cluster's node that it is on.</summary>
    public string? Machine => Text(Json, "spec", "nodeName");

    public string? Address => Text(Json, "status", "podIP");

    public string? ImageId => Text(Status, "imageID") is { Length: > 0 } id ? id : null;

    /// <summary>It has the class in which the CPU manager gives cores away.</summary>
    public string? QosClass => Text(Json, "status", "qosClass");

    public bool Runs => State("running") is not null;

    /// <summary>It has said so (<see cref="NodeVariables.Ready"/>).</summary>
    public bool IsReady => Status?["started"] is JsonValue value && value.TryGetValue<bool>(out var started) && started;

    /// <summary>Why it does not run yet: the scheduler's or kubelet's own words.</summary>
    public string Waiting => Unscheduled is { } message ? $"no node takes its pod: {message}"
        : State("waiting") is { } waiting && Text(waiting, "reason") is { } reason ? Sentence(reason, Text(waiting, "message"))
        : Machine is { } machine ? $"its pod is on {machine} and does not run yet"
        : "its pod was not scheduled yet";

    private string? Unscheduled => Conditions
        .Where(condition => Text(condition, "type") == "PodScheduled" && Text(condition, "status") == "False")
        .Select(condition => Text(condition, "message") ?? Text(condition, "reason")).FirstOrDefault();

    private IEnumerable<JsonObject> Conditions => (At(Json, "status", "conditions") as JsonArray ?? []).OfType<JsonObject>();

    private JsonObject? Status => (At(Json, "status", "containerStatuses") as JsonArray)?.OfType<JsonObject>().FirstOrDefault();

    /// <summary>Null while it may still become or do something.</summary>
    public PodEnd? End
    {
        get
        {
            var why = Text(Json, "status", "reason");
            if (IsGone || Text(Json, "metadata", "deletionTimestamp") is not null)
            {
                return new(EndKind.KilledFromOutside, null, $"its pod was removed: {Disruption ?? "somebody deleted it"}");
            }

            if (State("terminated") is { } terminated && Number(terminated["exitCode"]) is { } code)
            {
                return Ended((int)code, terminated, why);
            }

            if (State("waiting") is { } waiting && Text(waiting, "reason") is { } reason && NoContainer.Contains(reason))
            {
                return new(EndKind.NotStarted, null, Sentence(reason, Text(waiting, "message")));
            }

            return Text(Json, "status", "phase") != "Failed" ? null : Failed(why ?? "it failed");
        }
    }

    private string? Disruption => Conditions.Where(condition => Text(condition, "type") == "DisruptionTarget")
        .Select(condition => Sentence(Text(condition, "reason") ?? "", Text(condition, "message"))).FirstOrDefault();

    private PodEnd Ended(int code, JsonObject terminated, string? why) => (Text(terminated, "reason"), why) switch
    {
        ("OOMKilled", _) => new(EndKind.OutOfMemory, code, "the kernel ended it at the memory limit"),
        ("StartError" or "ContainerCannotRun", _) =>
            new(EndKind.NotStarted, code, Text(terminated, "message") ?? "its container could not be started"),
        (_, { } known) => Failed(known),
        ("ContainerStatusUnknown", _) => new(EndKind.KilledFromOutside, code, Text(terminated, "message")),
        _ => new(EndKind.Exited, code, null),
    };

    private PodEnd Failed(string why)
    {
        var said = Sentence(why, Text(Json, "status", "message") ?? Disruption);
        return why switch
        {
            "DeadlineExceeded" => new(EndKind.TimedOut, null, said),
            "Evicted" or "Shutdown" or "NodeShutdown" or "Terminated" or "NodeLost" or "Preempting" =>
                new(EndKind.KilledFromOutside, null, said),
            _ => new(EndKind.NotStarted, null, said), // kubelet did not admit it: OutOfcpu, UnexpectedAdmissionError, NodeAffinity …
        };
    }

    private JsonObject? State(string name) => At(Status, "state", name) as JsonObject;

    private static string Sentence(string reason, string? message) => string.IsNullOrEmpty(message) ? reason : $"{reason}: {message}";

    private static double? Number(JsonNode? node) => node is JsonValue value && value.TryGetValue<double>(out var number) ? number : null;

    private static string? Text(JsonObject? json, params ReadOnlySpan<string> path) =>
        At(json, path) is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;

    private static JsonNode? At(JsonObject? json, params ReadOnlySpan<string> path)
    {
        JsonNode? at = json;
        foreach (var name in path)
        {
            at = (at as JsonObject)?[name];
        }

        return at;
    }
}
