using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using Azure.Core.Pipeline;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

public sealed record FakeCall(DateTimeOffset At, string Caller, string Method, string Path, string? Body)
{
    /// <summary>"read", "list", "tags", "start" and "empty" (a PATCH with capacity), "delete" (a machine), "clear" (what one left), "schedule", "unschedule", "poll".</summary>
    public string Verb => Path.Contains("/operations/", StringComparison.Ordinal) ? "poll"
        : Path.Contains("/tags/default", StringComparison.Ordinal) ? "tags"
        : Path.Contains("/schedules/", StringComparison.Ordinal) ? (Method == "PUT" ? "schedule" : "unschedule")
        : Method switch
        {
            "GET" => Path.Contains("/virtualMachineScaleSets/", StringComparison.Ordinal) || Path.Contains("/managedClusters/", StringComparison.Ordinal) ? "read" : "list",
            "PATCH" => Body?.Contains("\"capacity\":1", StringComparison.Ordinal) is true ? "start" : "empty",
            "DELETE" => Path.Contains("/virtualMachines/", StringComparison.Ordinal) ? "delete" : "clear",
            _ => Path.Split('?')[0].Split('/')[^1],
        };
}

/// <summary>
/// Azure's resource manager in memory, as far as the lab calls it: operations take time by the fake clock and answer with the real
/// headers (202, Azure-AsyncOperation, Location, Retry-After); rights, names, bodies, quota and policy are refused as Azure refuses them
/// (<see cref="FakeScaleSets"/>). What real Azure says to a shape that isn't here is not proven by it.
/// </summary>
public sealed class FakeAzure : HttpMessageHandler
{
    public const string Subscription = "00000000-0000-0000-0000-000000000001";
    public const string Group = $"/subscriptions/{Subscription}/resourceGroups/perf-lab";
    private readonly List<FakeClusterInAzure> clusters = [];
    private readonly FakeTimeProvider clock;
    private readonly Lock gate = new();

    public FakeAzure(FakeTimeProvider clock)
    {
        this.clock = clock;
        Operations = new(clock);
        ScaleSets = new(clock, Operations);
    }

    public FakeOperations Operations { get; }
    public FakeScaleSets ScaleSets { get; }

    /// <summary>Asked before every call: an answer in the place of the real one, or null. May act first, then lose the answer.</summary>
    public List<Func<FakeCall, Func<HttpResponseMessage>, HttpResponseMessage?>> Faults { get; } = [];
    public List<FakeCall> Calls { get; } = [];

    /// <summary>What the serial console showed; null when storage has nothing.</summary>
    public string? BootLog { get; set; }

    public static AzureMachine Machine(string name = "lab-1") => new()
    {
        Name = name,
        SubscriptionId = Subscription,
        ResourceGroup = "perf-lab",
        AzureName = name,
        Location = "westeurope",
        Size = "Standard_D4s_v5",
        Stack = "dev",
        Shutdown = new DailyShutdown("0300", "UTC"),
        PricePerHour = 0.19,
    };

    public FakeMachineInAzure Add(string name = "lab-1") => ScaleSets.Add(name);

    public AzureAccess AccessFor(string caller) => new() { Credential = new FakeCredential(caller), Transport = new HttpClientTransport(new HttpClient(this, disposeHandler: false)), Storage = () => new HttpClient(new FakeStorage(this)) };

    public FakeClusterInAzure AddCluster()
    {
        var cluster = new FakeClusterInAzure(clock);
        clusters.Add(cluster);
        return cluster;
    }

    /// <summary>What was done, without what was only looked at.</summary>
    public IReadOnlyList<string> Verbs => [.. Calls.Select(call => call.Verb).Where(verb => verb is not ("poll" or "read" or "list"))];

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var body = request.Content is null ? null : await request.Content.ReadAsStringAsync(cancellationToken);
        var answer = Answer(request.Method.Method, request.RequestUri!, request.Headers.Authorization?.Parameter ?? "nobody", body);
        answer.RequestMessage = request;
        return answer;
    }

    /// <summary>One call, after the other where two act at the same time; also used behind a real socket.</summary>
    public HttpResponseMessage Answer(string method, Uri uri, string caller, string? body)
    {
        lock (gate)
        {
            return AnswerAlone(method, uri, caller, body);
        }
    }

    private HttpResponseMessage AnswerAlone(string method, Uri uri, string caller, string? body)
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
    public void Settle() => Operations.Settle();

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
        if (FakeRights.ActionOf(call) is { } action && !FakeRights.Allows(call.Caller, action))
        {
            return Error(HttpStatusCode.Forbidden, "AuthorizationFailed",
                $"The client '{call.Caller}' does not have authorization to perform action '{action}' over scope '{uri.AbsolutePath}' or the scope is invalid.");
        }

        return (Operations.Poll(uri.AbsolutePath) is { } status ? (ScaleSets.StatusMayBeRead ? status : Error(HttpStatusCode.Forbidden, "AuthorizationFailed", "operations/read")) : null)
            ?? clusters.FirstOrDefault(candidate => candidate.Owns(uri.AbsolutePath))?.Handle(call, uri)
            ?? ScaleSets.Handle(call, uri)
            ?? Error(HttpStatusCode.NotFound, "ResourceNotFound", $"The Resource '{uri.AbsolutePath}' was not found.");
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
