using System.Text.Json.Nodes;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>A virtual machine in the fake: what it is, and for how long it was billed.</summary>
public sealed class FakeMachineInAzure(string name)
{
    public string Name { get; } = name;
    public string Id { get; } = $"/subscriptions/{FakeAzure.Subscription}/resourceGroups/perf-lab/providers/Microsoft.Compute/virtualMachines/{name}";
    public Dictionary<string, string> Tags { get; } = new(StringComparer.Ordinal) { ["perf-lab:stack"] = "dev", ["owner"] = "somebody" };
    public string Power { get; private set; } = "deallocated";
    public string Provisioning { get; set; } = "Succeeded";
    public int Disk { get; set; } = 1;
    public string? CustomData { get; set; }
    public int Boots { get; private set; }

    /// <summary>Called at every change of power.</summary>
    public Action<string>? PowerChanged { get; set; }

    private DateTimeOffset? billedSince;
    private TimeSpan billed;

    public void Set(string power, DateTimeOffset at)
    {
        if (power == Power)
        {
            return;
        }

        // Azure bills everything but a deallocated machine.
        if (power is "deallocated" && billedSince is { } since)
        {
            billed += at - since;
            billedSince = null;
        }
        else if (power is not "deallocated")
        {
            billedSince ??= at;
        }

        Boots += power is "running" && Power is not "running" ? 1 : 0;
        Power = power;
        PowerChanged?.Invoke(power);
    }

    public TimeSpan BilledAt(DateTimeOffset now) => billed + (billedSince is { } since ? now - since : TimeSpan.Zero);

    public JsonObject TagsModel() => new(Tags.Select(tag => KeyValuePair.Create(tag.Key, (JsonNode?)tag.Value)));

    public JsonObject Model(IEnumerable<string> statuses) => new()
    {
        ["id"] = Id,
        ["name"] = Name,
        ["type"] = "Microsoft.Compute/virtualMachines",
        ["location"] = "westeurope",
        ["tags"] = TagsModel(),
        ["properties"] = new JsonObject
        {
            ["provisioningState"] = Provisioning,
            ["vmId"] = "7a1b4c7e-0000-4000-8000-000000000001",
            ["hardwareProfile"] = new JsonObject { ["vmSize"] = "Standard_D4s_v5" },
            ["storageProfile"] = new JsonObject { ["osDisk"] = DiskModel() },
            ["instanceView"] = new JsonObject
            {
                ["statuses"] = new JsonArray([.. statuses.Select(code => (JsonNode)new JsonObject { ["code"] = code, ["level"] = "Info" })]),
            },
        },
    };

    private JsonObject DiskModel() => new()
    {
        ["osType"] = "Linux",
        ["name"] = $"{Name}-disk-{Disk}",
        ["createOption"] = "FromImage",
        ["managedDisk"] = new JsonObject { ["id"] = $"/subscriptions/{FakeAzure.Subscription}/resourceGroups/perf-lab/providers/Microsoft.Compute/disks/{Name}-disk-{Disk}" },
    };
}
