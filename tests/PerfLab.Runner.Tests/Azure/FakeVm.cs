using System.Text.Json.Nodes;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>One virtual machine of a scale set in the fake.</summary>
public sealed class FakeVm(string name, string customData, string? lease)
{
    public string Name { get; } = name;
    public string Id { get; } = $"{FakeAzure.Group}/providers/Microsoft.Compute/virtualMachines/{name}";

    /// <summary>Read once, at the first boot: nothing changes it later.</summary>
    public string CustomData { get; } = customData;

    /// <summary>What the scale set's tag said when this machine was made, and where Azure hands tags on, still says here.</summary>
    public string? Lease { get; } = lease;
    public string Power { get; set; } = "starting";
    public string Provisioning { get; set; } = "Creating";
    public string? FailedBecause { get; set; }

    /// <summary>Who asked first for its end, and the lease at that moment.</summary>
    public (string By, string? Lease)? Ending { get; set; }

    /// <summary>Azure bills everything but a deallocated machine.</summary>
    public DateTimeOffset? BilledSince { get; set; }

    public JsonObject Model(FakeMachineInAzure of, IEnumerable<string>? statuses) => new()
    {
        ["id"] = Id,
        ["name"] = Name,
        ["type"] = "Microsoft.Compute/virtualMachines",
        ["location"] = "westeurope",
        ["tags"] = new JsonObject(),
        ["properties"] = new JsonObject
        {
            ["provisioningState"] = Provisioning,
            ["virtualMachineScaleSet"] = new JsonObject { ["id"] = of.Id.Replace("resourceGroups", "resourcegroups", StringComparison.Ordinal) },
            ["instanceView"] = statuses is null ? null : new JsonObject
            {
                ["statuses"] = new JsonArray([.. statuses.Select(code => (JsonNode)new JsonObject { ["code"] = code, ["level"] = "Info" })]),
            },
        },
    };

    public IEnumerable<string> Statuses =>
        [FailedBecause is null ? $"ProvisioningState/{Provisioning.ToLowerInvariant()}" : $"ProvisioningState/failed/{FailedBecause}", $"PowerState/{Power}"];
}

/// <summary>A card, an address or a disk, or the daily shutdown of a machine.</summary>
public sealed class FakePart(string kind, string name, string? vm)
{
    public string Kind { get; } = kind;
    public string Name { get; } = name;
    public string Id { get; } = $"{FakeAzure.Group}/providers/{kind}/{name}";

    /// <summary>The virtual machine that it belongs to; null when that is no more.</summary>
    public string? Vm { get; set; } = vm;
    public string DeleteOption { get; init; } = "Delete";
    public Dictionary<string, string> Tags { get; } = new(StringComparer.Ordinal);
    public string Provisioning { get; set; } = "Succeeded";

    public JsonObject Model()
    {
        var properties = new JsonObject { ["provisioningState"] = Provisioning };
        var isDisk = Kind.EndsWith("disks", StringComparison.Ordinal);
        if (Vm is not null && !isDisk)
        {
            properties[Kind.EndsWith("publicIPAddresses", StringComparison.Ordinal) ? "ipConfiguration" : "virtualMachine"] = new JsonObject { ["id"] = Vm };
        }

        var model = new JsonObject { ["id"] = Id, ["name"] = Name, ["type"] = Kind, ["tags"] = new JsonObject(Tags.Select(tag => KeyValuePair.Create(tag.Key, (JsonNode?)tag.Value))), ["properties"] = properties };
        if (Vm is not null && isDisk)
        {
            model["managedBy"] = Vm;
        }

        return model;
    }
}
