using Azure.Core;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Power.Azure;

namespace PerfLab.Power;

/// <summary>lab.json: the outputs of the Pulumi stack (docs/formats.md, schemas/lab.schema.json), as far as machine power needs them.</summary>
public sealed record LabFile
{
    public const string FileName = "lab.json";
    private const string Schema = "perf-lab/lab/1";

    public required string Stack { get; init; }
    public required string TenantId { get; init; }
    public required string SubscriptionId { get; init; }
    public required string ResourceGroup { get; init; }

    /// <summary>The client id of `lab-power`, for the login of the workflows.</summary>
    public required string PowerClientId { get; init; }

    /// <summary>"0300 UTC": when everything is switched off, whatever we do.</summary>
    public required string DailyShutdown { get; init; }
    public required IReadOnlyList<AzureMachine> Machines { get; init; }

    /// <summary>Null in a lab without one.</summary>
    public AzureCluster? Cluster { get; init; }

    /// <summary>All that is leased, started and stopped.</summary>
    public IReadOnlyList<AzureResource> Resources => Cluster is null ? Machines : [.. Machines, Cluster];

    /// <summary>Machines that nobody can switch: the bare-metal agents.</summary>
    public required IReadOnlyList<string> MetalMachines { get; init; }

    /// <summary>Null with every problem in <paramref name="problems"/>. Prices come from perf-lab.yaml, where people can change them.</summary>
    public static LabFile? Parse(string text, IReadOnlyList<MachineDefinition> known, ICollection<Problem> problems)
    {
        JsonObject? json = null;
        try
        {
            json = JsonNode.Parse(text, documentOptions: new JsonDocumentOptions { MaxDepth = 16 }) as JsonObject;
        }
        catch (JsonException exception)
        {
            problems.Add(new(FileName, JsonFault.Text(exception)));
            return null;
        }

        if (json is null)
        {
            problems.Add(new(FileName, "is not an object"));
            return null;
        }

        var before = problems.Count;
        var file = new LabFileReader(json, known, problems).Read(Schema);
        return problems.Count == before ? file : null;
    }

    private sealed class LabFileReader(JsonObject json, IReadOnlyList<MachineDefinition> known, ICollection<Problem> problems)
    {
        public LabFile Read(string schema)
        {
            if (Text(json, "schema", "") is var found && found != schema)
            {
                Add($"schema is \"{found}\", this perf-lab reads \"{schema}\"");
            }

            var location = Text(json, "location", "");
            var shutdown = json["shutdown"] as JsonObject ?? [];
            var power = (json["identities"] as JsonObject)?["power"] as JsonObject ?? [];
            var machines = (json["machines"] as JsonArray)?.OfType<JsonObject>().ToList() ?? [];
            if (machines.Count == 0)
            {
                Add("machines: names none");
            }

            return new LabFile
            {
                Stack = Text(json, "stack", ""),
                TenantId = Text(json, "tenantId", ""),
                SubscriptionId = Text(json, "subscriptionId", ""),
                ResourceGroup = Text(json, "resourceGroup", ""),
                PowerClientId = Text(power, "clientId", "identities.power."),
                DailyShutdown = $"{Text(shutdown, "time", "shutdown.")} {Text(shutdown, "timeZone", "shutdown.")}",
                Machines = [.. machines.Where(machine => Kind(machine) is "azure").Select(machine => Azure(machine, location)).OfType<AzureMachine>()],
                Cluster = Cluster(location, machines),
                MetalMachines = [.. machines.Where(machine => Kind(machine) is "metal").Select(machine => Text(machine, "name", "machines[]."))],
            };
        }

        private AzureMachine? Azure(JsonObject machine, string location)
        {
            var name = Text(machine, "name", "machines[].");
            var where = $"machines[{name}].";
            var size = Text(machine, "size", where);
            if (ResourceOf(machine, where, "Microsoft.Compute/virtualMachines", "a virtual machine") is not { } id)
            {
                return null;
            }

            return new AzureMachine
            {
                Name = name,
                SubscriptionId = id.SubscriptionId!,
                ResourceGroup = id.ResourceGroupName!,
                AzureName = id.Name,
                Location = location,
                Size = size,
                PricePerHour = known.FirstOrDefault(definition => definition.Name == name)?.PricePerHour ?? 0,
            };
        }

        private AzureCluster? Cluster(string location, IReadOnlyList<JsonObject> machines)
        {
            if (json["cluster"] is not JsonObject cluster)
            {
                if (json["cluster"] is not null || !json.ContainsKey("cluster"))
                {
                    Add("cluster: neither null nor an object");
                }

                return null;
            }

            var (name, size) = (Text(cluster, "name", "cluster."), Text(cluster, "size", "cluster."));
            var nodes = cluster["nodes"] is JsonValue value && value.TryGetValue<int>(out var number) && number is >= 1 and <= 10 ? number : 0;
            if (nodes == 0)
            {
                Add("cluster.nodes: not a whole number from 1 to 10; `perf-lab lab configure` writes it");
            }

            if (machines.Any(machine => machine["name"] is JsonValue other && other.TryGetValue<string>(out var text) && text == name))
            {
                Add($"cluster.name: a machine is named \"{name}\" too, and nobody could say which is meant: rename the machine");
            }

            if (ResourceOf(cluster, "cluster.", "Microsoft.ContainerService/managedClusters", "an AKS cluster") is not { } id)
            {
                return null;
            }

            return new AzureCluster
            {
                Name = name,
                SubscriptionId = id.SubscriptionId!,
                ResourceGroup = id.ResourceGroupName!,
                AzureName = id.Name,
                Location = location,
                Size = size,
                MostNodes = 2 * nodes,
                // A node costs what a machine of its size does.
                PricePerHour = 2 * nodes * (known.FirstOrDefault(definition => definition.Size == size && definition.PricePerHour > 0)?.PricePerHour ?? 0),
            };
        }

        private ResourceIdentifier? ResourceOf(JsonObject from, string where, string type, string what)
        {
            if (ResourceIdentifier.TryParse(Text(from, "id", where), out var id) && id is { SubscriptionId: not null, ResourceGroupName: not null } && id.ResourceType == type)
            {
                return id;
            }

            Add($"{where}id is not the resource id of {what}");
            return null;
        }

        private string? Kind(JsonObject machine)
        {
            var kind = Text(machine, "kind", "machines[].");
            if (kind is not ("azure" or "metal" or ""))
            {
                Add($"machines[].kind: \"{kind}\" is neither azure nor metal");
            }

            return kind;
        }

        private string Text(JsonObject from, string name, string where)
        {
            if (from[name] is JsonValue value && value.TryGetValue<string>(out var text) && text.Length is > 0 and <= 2000)
            {
                return text;
            }

            Add($"{where}{name}: missing, or not a text");
            return "";
        }

        private void Add(string message)
        {
            if (!problems.Contains(new Problem(FileName, message)))
            {
                problems.Add(new(FileName, message));
            }
        }
    }
}
