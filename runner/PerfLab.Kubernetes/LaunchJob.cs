using PerfLab.Building.Manifests;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Docker.Images;

namespace PerfLab.Kubernetes;

/// <summary>Where a pod of a launch goes, and under which names.</summary>
/// <param name="Launch">Unique to this launch: what its jobs and pods are found by.</param>
/// <param name="Image">With its tag.</param>
/// <param name="Machine">The node of the cluster that launches of this session ran on before; null: the scheduler chooses.</param>
internal sealed record PodPlace(string Launch, string Instance, string Owner, string Image, string? Machine, ClusterSettings Cluster);

/// <summary>One program of a launch. A launch of one has a single <see cref="LaunchPart"/> without a role.</summary>
/// <param name="Gates">Whether others wait until it is ready.</param>
internal sealed record LaunchPart(PlannedNode Node, bool Waits, bool Gates)
{
    /// <summary>What a launch of one program calls it.</summary>
    public const string Only = "only";

    public static IReadOnlyList<LaunchPart> Of(LaunchSpec launch) => launch.Nodes.Count == 0 ? [new(new(Only, ""), false, false)]
        : [.. launch.Nodes.Select(node => new LaunchPart(node, true, node.Role != launch.Nodes[^1].Role))];
}

/// <summary>The job that the cluster is asked for: sealed, with Guaranteed QoS, and gone by itself if nobody deletes it.</summary>
internal static class LaunchJob
{
    public const string Container = "workload";
    public const string Addresses = "perf-lab/nodes";
    public const string OwnerAnnotation = "perf-lab/owner";
    public const string Ours = "app.kubernetes.io/managed-by=perf-lab";
    public const int UserId = WorkloadImage.UserId;

    /// <summary>The cluster ends a launch that nobody watches any more, so much later than the lab would have.</summary>
    private const int Slack = 60;

    /// <summary>And removes it after that.</summary>
    private const int KeptSeconds = 300;

    private const string Folder = "64Mi";

    public static string NameOf(string launch, LaunchPart part) => $"{launch}-{part.Node.Name}";

    public static string OfLaunch(string launch) => "perf-lab/launch=" + launch;

    public static string OfInstance(string instance) => "perf-lab/instance=" + instance;

    public static JsonObject From(LaunchSpec launch, LaunchPart part, PodPlace place)
    {
        var labels = new JsonObject
        {
            ["app.kubernetes.io/managed-by"] = "perf-lab",
            ["perf-lab/run"] = Label(launch.Session),
            ["perf-lab/instance"] = place.Instance,
            ["perf-lab/launch"] = place.Launch,
            ["perf-lab/node"] = part.Node.Name,
        };
        return new()
        {
            ["apiVersion"] = "batch/v1",
            ["kind"] = "Job",
            ["metadata"] = new JsonObject
            {
                ["name"] = NameOf(place.Launch, part),
                ["labels"] = labels,
                ["annotations"] = new JsonObject { [OwnerAnnotation] = place.Owner },
            },
            ["spec"] = new JsonObject
            {
                ["backoffLimit"] = 0, // a failed measurement is never repeated behind the lab's back
                ["activeDeadlineSeconds"] = (int)Math.Ceiling(launch.Timeout.TotalSeconds) + place.Cluster.StartSeconds + Slack,
                ["ttlSecondsAfterFinished"] = KeptSeconds,
                ["template"] = new JsonObject
                {
                    ["metadata"] = new JsonObject { ["labels"] = labels.DeepClone() },
                    ["spec"] = Pod(launch, part, place),
                },
            },
        };
    }

    /// <summary>Names of sessions have characters that labels may not have.</summary>
    internal static string Label(string text)
    {
        var label = string.Concat(text.Select(letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '_' or '.' ? letter : '-'));
        return (label.Length > 63 ? label[..63] : label).Trim('-', '_', '.');
    }

    private static JsonObject Pod(LaunchSpec launch, LaunchPart part, PodPlace place) => new()
    {
        ["restartPolicy"] = "Never",
        ["automountServiceAccountToken"] = false,
        ["enableServiceLinks"] = false,
        ["terminationGracePeriodSeconds"] = 1,
        ["hostname"] = "bench",
        ["dnsPolicy"] = "None", // names of the cluster are not to be found in there
        ["dnsConfig"] = new JsonObject { ["nameservers"] = new JsonArray("127.0.0.1") },
        ["securityContext"] = new JsonObject
        {
            ["runAsNonRoot"] = true,
            ["runAsUser"] = UserId,
            ["runAsGroup"] = UserId,
            ["seccompProfile"] = new JsonObject { ["type"] = "RuntimeDefault" },
        },
        // A pool that is kept for launches has a taint of ours; a node that vanishes is given up at once.
        ["tolerations"] = new JsonArray(
            new JsonObject { ["key"] = "perf-lab/pool", ["operator"] = "Exists" },
            Vanished("node.kubernetes.io/not-ready"), Vanished("node.kubernetes.io/unreachable")),
        ["nodeSelector"] = Selector(part.Node.Role, place.Cluster),
        ["affinity"] = Affinity(part, place),
        ["containers"] = new JsonArray(Workload(launch, part, place)),
        ["volumes"] = Volumes(part),
    };

    private static JsonObject Vanished(string taint) =>
        new() { ["key"] = taint, ["operator"] = "Exists", ["effect"] = "NoExecute", ["tolerationSeconds"] = 0 };

    private static JsonObject Selector(string role, ClusterSettings cluster) => new(
        cluster.Pools.GetValueOrDefault(role, cluster.Pool).Select(label => KeyValuePair.Create(label.Key, (JsonNode?)label.Value)));

    private static JsonObject Affinity(LaunchPart part, PodPlace place)
    {
        var affinity = new JsonObject();
        if (place.Machine is { } machine)
        {
            affinity["nodeAffinity"] = Required(new JsonObject
            {
                ["nodeSelectorTerms"] = new JsonArray(new JsonObject
                {
                    ["matchFields"] = new JsonArray(
                        new JsonObject { ["key"] = "metadata.name", ["operator"] = "In", ["values"] = new JsonArray(machine) }),
                }),
            });
        }

        var apart = new JsonArray(Others(place.Instance));
        if (part.Waits && place.Cluster.Spread)
        {
            apart.Add(Apart(new JsonObject { ["matchLabels"] = new JsonObject { ["perf-lab/launch"] = place.Launch } }));
        }

        affinity["podAntiAffinity"] = Required(apart);
        return affinity;
    }

    /// <summary>What another session has, of any namespace. The scheduler holds both sides to it: two never share a node.</summary>
    private static JsonObject Others(string instance)
    {
        var others = Apart(new JsonObject
        {
            ["matchLabels"] = new JsonObject { ["app.kubernetes.io/managed-by"] = "perf-lab" },
            ["matchExpressions"] = new JsonArray(
                new JsonObject { ["key"] = "perf-lab/instance", ["operator"] = "NotIn", ["values"] = new JsonArray(instance) }),
        });
        others["namespaceSelector"] = new JsonObject();
        return others;
    }

    private static JsonObject Apart(JsonObject selector) =>
        new() { ["labelSelector"] = selector, ["topologyKey"] = "kubernetes.io/hostname" };

    private static JsonObject Required(JsonNode what) => new() { ["requiredDuringSchedulingIgnoredDuringExecution"] = what };

    private static JsonObject Workload(LaunchSpec launch, LaunchPart part, PodPlace place)
    {
        // Limits equal to requests and whole cores: QoS Guaranteed, and with the static CPU manager cores of its own.
        JsonObject Amounts() => new()
        {
            ["cpu"] = Invariant($"{launch.Resources.Cpus}"),
            ["memory"] = Invariant($"{launch.Resources.MemoryBytes}"),
        };
        var container = new JsonObject
        {
            ["name"] = Container,
            ["image"] = place.Image,
            ["imagePullPolicy"] = "IfNotPresent", // the tag is made of the content
            ["command"] = Strings(LaunchScript.Command(part.Waits, Environment(launch), launch.Command)),
            ["workingDir"] = "/app",
            ["resources"] = new JsonObject { ["requests"] = Amounts(), ["limits"] = Amounts() },
            ["securityContext"] = new JsonObject
            {
                ["readOnlyRootFilesystem"] = true,
                ["allowPrivilegeEscalation"] = false,
                ["privileged"] = false,
                ["capabilities"] = new JsonObject { ["drop"] = new JsonArray("ALL") },
            },
            ["volumeMounts"] = Mounts(part),
        };
        if (part.Gates)
        {
            // Looked at until it is there, and never again: nothing of it runs while others measure.
            container["startupProbe"] = new JsonObject
            {
                ["exec"] = new JsonObject { ["command"] = new JsonArray("test", "-f", "/out/" + NodeVariables.ReadyFile) },
                ["periodSeconds"] = 1,
                ["timeoutSeconds"] = 5,
                ["failureThreshold"] = (int)Math.Ceiling(launch.Timeout.TotalSeconds) + place.Cluster.StartSeconds + Slack,
            };
        }

        return container;
    }

    // What the image itself sets: its base may have no ICU.
    private static IEnumerable<KeyValuePair<string, string>> Environment(LaunchSpec launch) =>
        [.. launch.Environment, .. OutVariables.Of(launch, LaunchScript.ResultPath), new("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")];

    private static JsonArray Mounts(LaunchPart part) => new(
        [Mount("out", "/out"), Mount("tmp", "/tmp"), .. part.Waits ? [Mount("lab", LaunchScript.GateFolder)] : Array.Empty<JsonNode>()]);

    private static JsonNode Mount(string name, string path) => new JsonObject { ["name"] = name, ["mountPath"] = path };

    private static JsonArray Volumes(LaunchPart part) =>
        new([Memory("out"), Memory("tmp"), .. part.Waits ? [Gate()] : Array.Empty<JsonNode>()]);

    private static JsonNode Memory(string name) =>
        new JsonObject { ["name"] = name, ["emptyDir"] = new JsonObject { ["medium"] = "Memory", ["sizeLimit"] = Folder } };

    // Of what can be handed to a pod that runs already, its own annotations arrive first: kubelet looks at them when they change.
    private static JsonNode Gate() => new JsonObject
    {
        ["name"] = "lab",
        ["downwardAPI"] = new JsonObject
        {
            ["items"] = new JsonArray(new JsonObject
            {
                ["path"] = LaunchScript.GateFile,
                ["fieldRef"] = new JsonObject { ["fieldPath"] = $"metadata.annotations['{Addresses}']" },
            }),
        },
    };

    private static JsonArray Strings(IEnumerable<string> texts) => new(texts.Select(text => (JsonNode)JsonValue.Create(text)).ToArray());
}
