using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>
/// An AKS cluster in the fake, as its documentation has it: one operation at a time (409 to a second), 202 with a status address, the
/// power's code says where it goes to and provisioningState whether it's there. What a real one does beyond that is not proven by it.
/// </summary>
public sealed class FakeClusterInAzure(FakeTimeProvider clock)
{
    public const string Name = "cluster";
    private const string Operations = $"/subscriptions/{FakeAzure.Subscription}/providers/Microsoft.ContainerService/locations/westeurope/operations/";
    private DateTimeOffset? billedSince;
    private TimeSpan billed;
    private DateTimeOffset? end;
    private JsonObject? error;
    private int operation;

    public string Id { get; } = $"/subscriptions/{FakeAzure.Subscription}/resourceGroups/perf-lab/providers/Microsoft.ContainerService/managedClusters/{Name}";
    public Dictionary<string, string> Tags { get; } = new(StringComparer.Ordinal) { ["perf-lab:stack"] = "dev" };
    public string Power { get; private set; } = "Stopped";
    public string Provisioning { get; set; } = "Succeeded";

    /// <summary>Taken by the next operation: the error with which it ends.</summary>
    public Queue<JsonObject?> OperationErrors { get; } = new();

    /// <summary>Whether a stopped cluster takes tags: nobody has written it down, so both are tried.</summary>
    public bool TakesTagsWhenStopped { get; set; } = true;

    /// <summary>The role has no right to the status of operations, which lie outside of the cluster.</summary>
    public bool ShowsOperations { get; set; } = true;

    /// <summary>When it last came to rest.</summary>
    public DateTimeOffset StoppedAt { get; private set; }

    public static AzureCluster Cluster() => new()
    {
        Name = Name,
        SubscriptionId = FakeAzure.Subscription,
        ResourceGroup = "perf-lab",
        AzureName = Name,
        Location = "westeurope",
        Size = "Standard_D4s_v5",
        MostNodes = 6,
        PricePerHour = 6 * 0.19,
    };

    /// <summary>As somebody else's `az aks start` leaves it.</summary>
    public void Run()
    {
        (Power, Provisioning) = ("Running", "Succeeded");
        billedSince ??= clock.GetUtcNow();
    }

    /// <summary>As somebody else's `az aks stop` leaves it.</summary>
    public void Rest() => (Power, Provisioning) = ("Stopped", "Succeeded");

    public bool IsOff => this is { Power: "Stopped", Provisioning: "Succeeded" };

    public TimeSpan BilledAt(DateTimeOffset now) => billed + (billedSince is { } since ? now - since : TimeSpan.Zero);

    public bool Owns(string path) => path.StartsWith(Operations, StringComparison.Ordinal)
        || (path.StartsWith(Id, StringComparison.OrdinalIgnoreCase) && (path.Length == Id.Length || path[Id.Length] == '/'));

    public HttpResponseMessage Handle(FakeCall call, Uri uri)
    {
        Settle();
        return call.Verb switch
        {
            "read" => FakeAzure.Json(HttpStatusCode.OK, Model()),
            "poll" => Poll(),
            "tags" => IsOff && !TakesTagsWhenStopped ? Refuse("updating") : Tag(JsonNode.Parse(call.Body!)!),
            "start" => Begin(uri, "start", "Running", "Starting", TimeSpan.FromMinutes(4)),
            "stop" => Begin(uri, "stop", "Stopped", "Stopping", TimeSpan.FromMinutes(3)),
            _ => FakeAzure.Error(HttpStatusCode.NotFound, "NotFound", uri.AbsolutePath),
        };
    }

    /// <summary>Lets the operation take effect whose time has come.</summary>
    public void Settle()
    {
        if (end is not { } time || clock.GetUtcNow() < time)
        {
            return;
        }

        end = null;
        Provisioning = error is null ? "Succeeded" : "Failed";
        if (IsOff && billedSince is { } since)
        {
            billed += time - since;
            billedSince = null;
            StoppedAt = time;
        }
    }

    private HttpResponseMessage Begin(Uri uri, string verb, string power, string meanwhile, TimeSpan takes)
    {
        if (end is not null)
        {
            return FakeAzure.Error(HttpStatusCode.Conflict, "OperationNotAllowed", $"Operation is not allowed: Another operation ({Provisioning}) is in progress, please wait for it to finish before starting a new operation.");
        }

        if (IsOff && verb == "stop")
        {
            return Refuse("stopping");
        }

        OperationErrors.TryDequeue(out error);
        // What Azure has allocated before it failed is billed.
        billedSince ??= clock.GetUtcNow();
        Provisioning = meanwhile;
        Power = error is null ? power : Power;
        end = clock.GetUtcNow() + takes;
        var answer = new HttpResponseMessage(HttpStatusCode.Accepted) { Content = new ByteArrayContent([]) };
        var address = string.Create(CultureInfo.InvariantCulture, $"{uri.Scheme}://{uri.Authority}{Operations}{++operation}?api-version=2017-08-31");
        answer.Headers.TryAddWithoutValidation("Azure-AsyncOperation", address);
        answer.Headers.TryAddWithoutValidation("Location", address.Replace("operations", "operationresults", StringComparison.Ordinal));
        return answer;
    }

    private HttpResponseMessage Refuse(string what) =>
        FakeAzure.Error(HttpStatusCode.BadRequest, "OperationNotAllowed", $"managed cluster is in Provisioning State({Provisioning}) and Power State({Power}), {what} cannot be performed");

    private HttpResponseMessage Poll() => !ShowsOperations ? FakeAzure.Error(HttpStatusCode.Forbidden, "AuthorizationFailed", "no right to read operations")
        : FakeAzure.Json(HttpStatusCode.OK, (end, error) switch
        {
            ({ }, _) => new JsonObject { ["status"] = "InProgress" },
            (_, { } failed) => new JsonObject { ["status"] = "Failed", ["error"] = failed.DeepClone() },
            _ => new JsonObject { ["status"] = "Succeeded" },
        });

    private HttpResponseMessage Tag(JsonNode body)
    {
        FakeAzure.Patch(Tags, body);
        return FakeAzure.Json(HttpStatusCode.OK, FakeAzure.TagsAnswer(Id, Tags));
    }

    private JsonObject Model() => new()
    {
        ["id"] = Id,
        ["name"] = Name,
        ["type"] = "Microsoft.ContainerService/ManagedClusters",
        ["location"] = "westeurope",
        ["tags"] = new JsonObject(Tags.Select(tag => KeyValuePair.Create(tag.Key, (JsonNode?)tag.Value))),
        ["properties"] = new JsonObject { ["provisioningState"] = Provisioning, ["powerState"] = new JsonObject { ["code"] = Power }, ["kubernetesVersion"] = "1.34.1" },
    };
}
