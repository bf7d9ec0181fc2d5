using System.Text.Json.Nodes;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>A scale set in the fake: what its model says, whom it holds, and for how long that was billed.</summary>
public sealed class FakeMachineInAzure(string name)
{
    public string Name { get; } = name;
    public string Id { get; } = $"{FakeAzure.Group}/providers/Microsoft.Compute/virtualMachineScaleSets/{name}";
    public Dictionary<string, string> Tags { get; } = new(StringComparer.Ordinal) { ["perf-lab:stack"] = "dev", ["owner"] = "somebody" };
    public string Size { get; set; } = "Standard_D4s_v5";
    public int Capacity { get; set; }
    public string Provisioning { get; set; } = "Succeeded";

    /// <summary>Of the model: what the next machine gets.</summary>
    public string ModelData { get; set; } = "";
    public List<FakeVm> Vms { get; } = [];

    /// <summary>Machines that ever were: each has a disk of its own.</summary>
    public int Made { get; set; }
    public int Boots { get; private set; }

    /// <summary>What the last machine read at its boot.</summary>
    public string? CustomData { get; set; }

    /// <summary>A machine stopped costing: at what time, who asked for it, and the lease at that moment.</summary>
    public Action<DateTimeOffset, string, string?> Ended { get; set; } = (_, _, _) => { };

    private TimeSpan billed;

    public string Power => Vms.Count == 0 ? "empty" : Vms[0].Power;

    /// <summary>The machine is in this state, whoever brought it there.</summary>
    public void Set(string power, DateTimeOffset at)
    {
        if (power is "empty")
        {
            foreach (var gone in Vms.ToList())
            {
                Remove(gone, at);
            }

            Capacity = 0;
            return;
        }

        if (Vms.Count == 0)
        {
            Capacity = 1;
            Add("", at);
        }

        Vms[0].Provisioning = "Succeeded";
        Set(Vms[0], power, at);
    }

    public FakeVm Add(string customData, DateTimeOffset at)
    {
        // As with Flexible orchestration: the set's name and eight hexadecimal digits.
        var vm = new FakeVm(FormattableString.Invariant($"{Name}_{++Made:x8}"), customData, Tags.GetValueOrDefault("perf-lab:lease")) { BilledSince = at };
        Vms.Add(vm);
        CustomData = customData;
        return vm;
    }

    public void Set(FakeVm vm, string power, DateTimeOffset at)
    {
        if (power == vm.Power)
        {
            return;
        }

        if (power is "deallocated")
        {
            Settle(vm, at);
        }
        else
        {
            vm.BilledSince ??= at;
        }

        Boots += power is "running" ? 1 : 0;
        vm.Power = power;
    }

    public void Remove(FakeVm vm, DateTimeOffset at)
    {
        Settle(vm, at);
        Vms.Remove(vm);
    }

    public TimeSpan BilledAt(DateTimeOffset now) => billed + TimeSpan.FromTicks(Vms.Sum(vm => vm.BilledSince is { } since ? (now - since).Ticks : 0));

    public JsonObject TagsModel() => new(Tags.Select(tag => KeyValuePair.Create(tag.Key, (JsonNode?)tag.Value)));

    /// <summary>Custom data is never read back.</summary>
    public JsonObject Model() => new()
    {
        ["id"] = Id,
        ["name"] = Name,
        ["type"] = "Microsoft.Compute/virtualMachineScaleSets",
        ["location"] = "westeurope",
        ["tags"] = TagsModel(),
        ["sku"] = new JsonObject { ["name"] = Size, ["tier"] = "Standard", ["capacity"] = Capacity },
        ["properties"] = new JsonObject { ["provisioningState"] = Provisioning, ["orchestrationMode"] = "Flexible" },
    };

    private void Settle(FakeVm vm, DateTimeOffset at)
    {
        if (vm.BilledSince is not { } since)
        {
            return;
        }

        billed += at - since;
        vm.BilledSince = null;
        if (vm.Ending is { } end)
        {
            Ended(at, end.By, end.Lease);
        }
    }
}
