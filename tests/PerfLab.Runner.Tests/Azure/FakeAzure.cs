using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using Azure.Core.Pipeline;
using PerfLab.Power.Azure;

namespace PerfLab.Runner.Tests.Azure;

public sealed record FakeCall(DateTimeOffset At, string Caller, string Method, string Path, string? Body)
{
    /// <summary>"start", "stop", "deallocate", "reimage", "tags", "read", "poll".</summary>
    public string Verb => Path.Contains("/operations/", StringComparison.Ordinal) ? "poll"
        : Path.Contains("/tags/default", StringComparison.Ordinal) ? "tags"
        : Method == "GET" ? "read" : Path.Split('?')[0].Split('/')[^1];
}

/// <summary>
/// Azure's resource manager in memory, as far as the lab calls it: operations take time by the fake clock and answer with the real
/// headers (202, Azure-AsyncOperation, Location, Retry-After). What real Azure says to a shape that isn't here is not proven by it.
/// </summary>
public sealed class FakeAzure(FakeTimeProvider clock) : HttpMessageHandler
{
    public const string Subscription = "00000000-0000-0000-0000-000000000001";
    private readonly Dictionary<string, FakeMachineInAzure> machines = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<FakeClusterInAzure> clusters = [];
    private readonly Dictionary<string, FakeOperation> operations = new(StringComparer.Ordinal);
    private int operationNumber;

    /// <summary>Asked before every call: an answer in the place of the real one, or null. May act first, then lose the answer.</summary>
    public List<Func<FakeCall, Func<HttpResponseMessage>, HttpResponseMessage?>> Faults { get; } = [];

    /// <summary>Asked when an operation begins: the error with which it will end, or null.</summary>
    public Queue<JsonObject?> OperationErrors { get; } = new();

    /// <summary>What instance views say instead of the truth, one list of statuses a reading.</summary>
    public Queue<string[]?> Views { get; } = new();

    /// <summary>The same by rule, for simulations: of the verb that begins an operation, and of a reading.</summary>
    public Func<string, JsonObject?> OperationErrorFor { get; set; } = _ => null;
    public Func<string[]?> ViewFor { get; set; } = () => null;

    /// <summary>When the operation whose effect is being taken ended.</summary>
    public DateTimeOffset EffectAt { get; private set; }
    public List<FakeCall> Calls { get; } = [];
    public bool OperationsNeverEnd { get; set; }

    /// <summary>Operations end with Succeeded and do nothing.</summary>
    public bool OperationsLie { get; set; }
    /// <summary>What the serial console showed; null when storage has nothing.</summary>
    public string? BootLog { get; set; }
    public string PollRetryAfter { get; set; } = "10";

    private sealed class FakeOperation(FakeMachineInAzure machine, DateTimeOffset end, Action effect)
    {
        public FakeMachineInAzure Machine { get; } = machine;
        public DateTimeOffset End { get; } = end;
        public Action Effect { get; } = effect;
        public JsonObject? Error { get; set; }
        public bool Done { get; set; }
    }

    public static AzureMachine Machine(string name = "lab-1") => new()
    {
        Name = name,
        SubscriptionId = Subscription,
        ResourceGroup = "perf-lab",
        AzureName = name,
        Location = "westeurope",
        Size = "Standard_D4s_v5",
        PricePerHour = 0.19,
    };

    public FakeMachineInAzure Add(string name = "lab-1")
    {
        var machine = new FakeMachineInAzure(name);
        return machines[machine.Id] = machine;
    }

    public AzureDoor DoorFor(string caller) => new() { Credential = new FakeCredential(caller), Transport = new HttpClientTransport(new HttpClient(this, disposeHandler: false)), Storage = () => new HttpClient(new FakeStorage(this)) };

    public FakeClusterInAzure AddCluster()
    {
        var cluster = new FakeClusterInAzure(clock);
        clusters.Add(cluster);
        return cluster;
    }

    public IReadOnlyList<string> Verbs => [.. Calls.Where(call => call.Verb is not "poll").Select(call => call.Verb)];

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var body = request.Content is null ? null : await request.Content.ReadAsStringAsync(cancellationToken);
        var answer = Answer(request.Method.Method, request.RequestUri!, request.Headers.Authorization?.Parameter ?? "nobody", body);
        answer.RequestMessage = request;
        return answer;
    }

    /// <summary>One call; also used behind a real socket.</summary>
    public HttpResponseMessage Answer(string method, Uri uri, string caller, string? body)
    {
        Settle();
        var call = new FakeCall(clock.GetUtcNow(), caller, method, uri.PathAndQuery, body);
        Calls.Add(call);
        foreach (var fault in Faults)
        {
            if (fault(call, () => Handle(call, uri)) is { } bad)
            {
                return bad;
            }
        }

        return Handle(call, uri);
    }

    /// <summary>Lets operations take effect whose time has come.</summary>
    public void Settle()
    {
        foreach (var operation in operations.Values.Where(operation => !operation.Done && operation.End <= clock.GetUtcNow()).OrderBy(operation => operation.End).ToList())
        {
            operation.Done = true;
            if (operation.Error is null)
            {
                EffectAt = operation.End;
                operation.Effect();
            }
        }
    }

    public static HttpResponseMessage Json(HttpStatusCode status, JsonNode body) => new(status) { Content = new StringContent(body.ToJsonString(), Encoding.UTF8, "application/json") };

    public static HttpResponseMessage Error(HttpStatusCode status, string code, string message, string? retryAfter = null)
    {
        var answer = Json(status, new JsonObject { ["error"] = OperationError(code, message) });
        if (retryAfter is not null)
        {
            answer.Headers.TryAddWithoutValidation("Retry-After", retryAfter);
        }

        return answer;
    }

    public static JsonObject OperationError(string code, string message) => new() { ["code"] = code, ["message"] = message };

    private HttpResponseMessage Handle(FakeCall call, Uri uri)
    {
        var path = uri.AbsolutePath;
        if (operations.TryGetValue(path, out var operation))
        {
            return Poll(operation);
        }

        if (clusters.FirstOrDefault(candidate => candidate.Owns(path)) is { } cluster)
        {
            return cluster.Handle(call, uri);
        }

        var machine = machines.Values.FirstOrDefault(candidate => path.StartsWith(candidate.Id, StringComparison.OrdinalIgnoreCase)
            && (path.Length == candidate.Id.Length || path[candidate.Id.Length] == '/'));
        return machine is null ? Error(HttpStatusCode.NotFound, "ResourceNotFound", $"The Resource '{path}' was not found.") : call.Verb switch
        {
            "read" => Json(HttpStatusCode.OK, machine.Model(Statuses(machine))),
            "tags" => Tag(machine, JsonNode.Parse(call.Body!)!),
            "start" => Begin(uri, machine, "starting", TimeSpan.FromSeconds(40), end => machine.Set("running", end)),
            "deallocate" => Begin(uri, machine, "deallocating", TimeSpan.FromSeconds(60), end => machine.Set("deallocated", end)),
            "reimage" => Begin(uri, machine, null, TimeSpan.FromSeconds(90), end => Reimage(machine, JsonNode.Parse(call.Body!)!, end)),
            "retrieveBootDiagnosticsData" => Json(HttpStatusCode.OK, new JsonObject { ["serialConsoleLogBlobUri"] = "https://storage.test/log?sig=x" }),
            _ => Error(HttpStatusCode.NotFound, "NotFound", path),
        };
    }

    private HttpResponseMessage Begin(Uri uri, FakeMachineInAzure machine, string? meanwhile, TimeSpan time, Action<DateTimeOffset> effect)
    {
        var error = OperationErrors.TryDequeue(out var planned) ? planned : OperationErrorFor(uri.AbsolutePath.Split('/')[^1]);
        if (meanwhile is not null && error is null && !OperationsLie && !(meanwhile == "starting" && machine.Power == "running") && !(meanwhile == "deallocating" && machine.Power == "deallocated"))
        {
            machine.Set(meanwhile, clock.GetUtcNow());
        }

        machine.Provisioning = OperationsLie ? "Succeeded" : "Updating";
        var path = string.Create(CultureInfo.InvariantCulture, $"/subscriptions/{Subscription}/providers/Microsoft.Compute/locations/westeurope/operations/{++operationNumber}");
        var end = OperationsNeverEnd ? DateTimeOffset.MaxValue : clock.GetUtcNow() + time;
        void TakeEffect()
        {
            machine.Provisioning = "Succeeded";
            effect(end);
        }

        if (meanwhile == "deallocating")
        {
            Preempt(machine);
        }

        operations[path] = new(machine, end, OperationsLie ? () => { } : TakeEffect) { Error = error };
        if (error is not null)
        {
            machine.Provisioning = "Failed";
        }

        var answer = new HttpResponseMessage(HttpStatusCode.Accepted) { Content = new ByteArrayContent([]) };
        var address = $"{uri.Scheme}://{uri.Authority}{path}?api-version=2023-07-01";
        answer.Headers.TryAddWithoutValidation("Azure-AsyncOperation", address);
        answer.Headers.TryAddWithoutValidation("Location", address + "&monitor=true");
        answer.Headers.TryAddWithoutValidation("Retry-After", PollRetryAfter);
        return answer;
    }

    /// <summary>A deallocation ends what else is under way on the machine.</summary>
    private void Preempt(FakeMachineInAzure machine)
    {
        foreach (var pending in operations.Values.Where(pending => !pending.Done && pending.Machine == machine))
        {
            pending.Done = true;
            pending.Error = OperationError("OperationPreempted", "The operation has been preempted by a more recent operation.");
        }
    }

    /// <summary>Azure's own schedule switches the machine off.</summary>
    public void ShutDown(FakeMachineInAzure machine, string caller)
    {
        Calls.Add(new(clock.GetUtcNow(), caller, "POST", machine.Id + "/deallocate", null));
        Begin(new Uri("https://management.azure.com" + machine.Id), machine, "deallocating", TimeSpan.FromSeconds(60), end => machine.Set("deallocated", end)).Dispose();
    }

    private HttpResponseMessage Poll(FakeOperation operation)
    {
        if (!operation.Done)
        {
            var wait = Json(HttpStatusCode.OK, new JsonObject { ["status"] = "InProgress" });
            wait.Headers.TryAddWithoutValidation("Retry-After", PollRetryAfter);
            return wait;
        }

        return Json(HttpStatusCode.OK, operation.Error is null
            ? new JsonObject { ["status"] = "Succeeded" }
            : new JsonObject { ["status"] = "Failed", ["error"] = operation.Error.DeepClone() });
    }

    private static void Reimage(FakeMachineInAzure machine, JsonNode body, DateTimeOffset end)
    {
        machine.CustomData = (string?)body["osProfile"]?["customData"];
        machine.Disk++;
        machine.Set("starting", end);
        machine.Set("running", end);
    }

    private IEnumerable<string> Statuses(FakeMachineInAzure machine) =>
        (Views.TryDequeue(out var told) ? told : ViewFor()) ?? [$"ProvisioningState/{machine.Provisioning.ToLowerInvariant()}", $"PowerState/{machine.Power}"];

    private static HttpResponseMessage Tag(FakeMachineInAzure machine, JsonNode body)
    {
        Patch(machine.Tags, body);
        return Json(HttpStatusCode.OK, TagsAnswer(machine.Id, machine.Tags));
    }

    internal static void Patch(Dictionary<string, string> tags, JsonNode body)
    {
        foreach (var (name, value) in body["properties"]!["tags"]!.AsObject())
        {
            if ((string?)body["operation"] == "Merge")
            {
                tags[name] = (string)value!;
            }
            else if (tags.GetValueOrDefault(name) == (string)value!)
            {
                tags.Remove(name);
            }
        }
    }

    internal static JsonObject TagsAnswer(string id, IReadOnlyDictionary<string, string> tags) => new()
    {
        ["id"] = id + "/providers/Microsoft.Resources/tags/default",
        ["name"] = "default",
        ["type"] = "Microsoft.Resources/tags",
        ["properties"] = new JsonObject { ["tags"] = new JsonObject(tags.Select(tag => KeyValuePair.Create(tag.Key, (JsonNode?)tag.Value))) },
    };
}
