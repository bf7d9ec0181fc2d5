using System.Net;
using System.Text.Json.Nodes;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>
/// Scale sets with Flexible orchestration, the virtual machines in them, and what those bring and leave. What nobody knows without Azure is a
/// switch, and tests turn it both ways. Refusals are those of <see cref="AzureRefusals"/>, each with where it was recorded.
/// </summary>
public sealed class FakeScaleSets(FakeTimeProvider clock, FakeOperations operations)
{
    private readonly Dictionary<string, FakeMachineInAzure> sets = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether deleting an instance lowers the capacity by itself.</summary>
    public bool CapacityFallsByItself { get; set; } = true;

    /// <summary>Whether a PATCH wants the name of the `sku` beside its capacity.</summary>
    public bool WantsWholeSku { get; set; } = true;

    /// <summary>Whether a PATCH asks for the right to join what the model names.</summary>
    public bool AsksForJoin { get; set; } = true;
    public bool TakesBlankCustomData { get; set; } = true;

    /// <summary>Whether a failed allocation leaves the capacity where it was asked to be.</summary>
    public bool FailedAllocationKeepsCapacity { get; set; } = true;

    /// <summary>Whether it leaves a virtual machine that could not be made.</summary>
    public bool FailedAllocationLeavesMachine { get; set; } = true;

    /// <summary>Whether what a scale set makes carries its tags.</summary>
    public bool HandsTagsOn { get; set; } = true;

    /// <summary>Whether the status of an operation may be read with rights on the scale set alone.</summary>
    public bool StatusMayBeRead { get; set; } = true;

    /// <summary>Whether a list of virtual machines with a filter brings their instance views (documented since 2023-07-01; Azure/azure-sdk-for-go#19707).</summary>
    public bool ListsInstanceViews { get; set; } = true;

    /// <summary>Whether the subscription has ever registered the provider of daily shutdowns.</summary>
    public bool HasDevTestLab { get; set; } = true;

    /// <summary>The policy of the resource group; null when there is none.</summary>
    public IReadOnlyList<string>? AllowedSizes { get; set; } = ["Standard_D4s_v5"];
    public string BootLogAddress { get; set; } = "https://storage.test/log?sig=x";
    public int CoreQuota { get; set; } = 100;

    /// <summary>Cores that the other machines have.</summary>
    public int UsedBeside(FakeMachineInAzure one) => sets.Values.Where(set => set != one).Sum(set => set.Vms.Count * AzureRefusals.CoresOf(set.Size));

    /// <summary>Of the next deletion: the machine goes, card, address and disk stay.</summary>
    public bool NextDeleteLeavesParts { get; set; }

    /// <summary>Asked when a start begins: the error with which it will end, or null.</summary>
    public Queue<JsonObject?> StartErrors { get; } = new();

    /// <summary>The same by rule, for simulations; and what instance views say instead of the truth.</summary>
    public Func<JsonObject?> StartErrorFor { get; set; } = () => null;
    public Queue<string[]?> Views { get; } = new();
    public Func<string[]?> ViewFor { get; set; } = () => null;
    public List<FakePart> Parts { get; } = [];
    public IEnumerable<FakePart> Left => Parts.Where(part => part.Vm is null);

    public FakeMachineInAzure Add(string name)
    {
        var machine = new FakeMachineInAzure(name);
        return sets[machine.Id] = machine;
    }

    /// <summary>Azure's own schedule switches machines off that have one.</summary>
    public void ShutDownDaily()
    {
        foreach (var (machine, vm) in sets.Values.SelectMany(set => set.Vms.Select(vm => (set, vm))).Where(one => one.vm.Power is "running" && Schedule(one.vm) is not null).ToList())
        {
            vm.Ending ??= ("daily shutdown", machine.Tags.GetValueOrDefault("perf-lab:lease"));
            machine.Set(vm, "deallocated", clock.GetUtcNow().AddMinutes(1));
        }
    }

    /// <returns>Null for what is nothing of ours.</returns>
    public HttpResponseMessage? Handle(FakeCall call, Uri uri)
    {
        var path = uri.AbsolutePath;
        if (sets.Values.FirstOrDefault(set => Owns(set.Id, path)) is { } set)
        {
            return call.Verb switch
            {
                "read" => FakeAzure.Json(HttpStatusCode.OK, set.Model()),
                "tags" => Tag(set, JsonNode.Parse(call.Body!)!),
                "start" or "empty" => AzureRefusals.OfPatch(this, set, call) ?? Patch(uri, set, JsonNode.Parse(call.Body!)!, call.Caller),
                _ => null,
            };
        }

        if (sets.Values.SelectMany(one => one.Vms.Select(vm => (Set: one, Vm: vm))).FirstOrDefault(one => Owns(one.Vm.Id, path)) is { Vm: { } vm } found)
        {
            return call.Verb switch
            {
                "delete" => Delete(uri, found.Set, vm, call.Caller),
                "list" when call.Method == "GET" => FakeAzure.Json(HttpStatusCode.OK, vm.Model(found.Set, uri.Query.Contains("$expand=instanceView") ? Statuses(vm) : null)),
                "retrieveBootDiagnosticsData" => FakeAzure.Json(HttpStatusCode.OK, new JsonObject { ["serialConsoleLogBlobUri"] = BootLogAddress }),
                _ => AzureRefusals.OfMachine(vm, call),
            };
        }

        if (call.Verb is "schedule")
        {
            return AzureRefusals.OfSchedule(this, call) ?? Schedule(path);
        }

        if (Parts.FirstOrDefault(part => Owns(part.Id, path)) is { } part && call.Method == "DELETE")
        {
            return AzureRefusals.OfPart(part, Parts) ?? Clear(uri, part);
        }

        return call.Verb is "list" ? List(path, uri) : null;
    }

    private static bool Owns(string id, string path) => path.StartsWith(id, StringComparison.OrdinalIgnoreCase) && (path.Length == id.Length || path[id.Length] == '/');

    private HttpResponseMessage? List(string path, Uri uri)
    {
        IEnumerable<JsonObject>? found = path.Split('/')[^1] switch
        {
            "virtualMachines" => sets.Values.Where(set => Uri.UnescapeDataString(uri.Query).Contains($"'{set.Id}'", StringComparison.OrdinalIgnoreCase)).SelectMany(set => set.Vms.Select(vm => vm.Model(set, ListsInstanceViews ? Statuses(vm) : null))),
            var kind when kind is "networkInterfaces" or "publicIPAddresses" or "disks" => Parts.Where(part => part.Kind.EndsWith(kind, StringComparison.Ordinal)).Select(part => part.Model()),
            _ => null,
        };
        return found is null ? null : FakeAzure.Json(HttpStatusCode.OK, new JsonObject { ["value"] = new JsonArray([.. found]) });
    }

    private HttpResponseMessage Patch(Uri uri, FakeMachineInAzure set, JsonNode body, string caller)
    {
        set.ModelData = (string?)body["properties"]?["virtualMachineProfile"]?["osProfile"]?["customData"] ?? set.ModelData;
        var wanted = (int?)body["sku"]?["capacity"] ?? set.Capacity;
        // As many as there should be by Azure's book: nothing to do, whoever is really there.
        if (wanted <= set.Capacity)
        {
            set.Capacity = wanted;
            foreach (var vm in wanted == 0 ? set.Vms.Where(vm => vm.Provisioning is not "Deleting").ToList() : [])
            {
                Delete(uri, set, vm, caller).Dispose();
            }

            return operations.Begin(Updating(set), uri, set.Id, null, (5, _ => set.Provisioning = "Succeeded"));
        }

        var error = StartErrors.TryDequeue(out var planned) ? planned : StartErrorFor();
        if (!operations.Lie)
        {
            (set.Capacity, set.Provisioning) = (wanted, "Updating");
        }

        FakeVm? made = null;
        // Whoever is cut off in between has left a card, or a card and half a machine.
        return operations.Begin(Updating(set), uri, set.Id, error,
            (5, _ => AddPart("Microsoft.Network/networkInterfaces", set, "card")),
            (6, _ => AddPart("Microsoft.Network/publicIPAddresses", set, "address")),
            (10, at => made = Make(set, at)),
            (error is null ? 60 : 20, at => Finish(set, made!, error, at)));
    }

    private static HttpResponseMessage Updating(FakeMachineInAzure set)
    {
        var model = set.Model();
        model["properties"]!["provisioningState"] = "Updating";
        return FakeAzure.Json(HttpStatusCode.OK, model);
    }

    private FakeVm Make(FakeMachineInAzure set, DateTimeOffset at)
    {
        var vm = set.Add(set.ModelData, at);
        AddPart("Microsoft.Compute/disks", set, "disk");
        foreach (var part in Parts.Where(part => part.Vm == set.Id))
        {
            part.Vm = vm.Id;
        }

        return vm;
    }

    private void Finish(FakeMachineInAzure set, FakeVm vm, JsonObject? error, DateTimeOffset at)
    {
        set.Provisioning = error is null ? "Succeeded" : "Failed";
        if (error is null)
        {
            vm.Provisioning = "Succeeded";
            set.Set(vm, "running", at);
            return;
        }

        set.Capacity = FailedAllocationKeepsCapacity ? set.Capacity : 0;
        (vm.Provisioning, vm.FailedBecause) = ("Failed", (string?)error["code"]);
        set.Set(vm, "deallocated", at);    // it never ran
        if (!FailedAllocationLeavesMachine)
        {
            set.Remove(vm, at);
            Release(vm);
        }
    }

    private HttpResponseMessage Delete(Uri uri, FakeMachineInAzure set, FakeVm vm, string caller)
    {
        if (vm.Provisioning is "Deleting")
        {
            // The same deletion, asked for again.
            return operations.Begin(uri, vm.Id, null, (30, _ => { }));
        }

        operations.Preempt(set.Id);
        vm.Ending ??= (caller, set.Tags.GetValueOrDefault("perf-lab:lease"));
        vm.Provisioning = operations.Lie || operations.NeverEnd ? vm.Provisioning : "Deleting";
        void End(DateTimeOffset at)
        {
            set.Remove(vm, at);
            set.Capacity -= CapacityFallsByItself && set.Capacity > 0 ? 1 : 0;
            Release(vm);
        }

        return operations.Begin(uri, vm.Id, null, (30, End));
    }

    /// <summary>A delete cascades by the model's `deleteOption`; what has none, or when it fails half-way, stays behind, unattached.</summary>
    private void Release(FakeVm vm)
    {
        foreach (var part in Parts.Where(part => part.Vm == vm.Id && !part.Kind.EndsWith("schedules", StringComparison.Ordinal)).ToList())
        {
            part.Vm = null;
            if (part.DeleteOption is "Delete" && !NextDeleteLeavesParts)
            {
                Parts.Remove(part);
            }
        }

        NextDeleteLeavesParts = false;
    }

    private void AddPart(string kind, FakeMachineInAzure set, string what)
    {
        var part = new FakePart(kind, FormattableString.Invariant($"{set.Name}-{what}-{set.Made:x8}"), set.Id);
        if (HandsTagsOn)
        {
            part.Tags["perf-lab:machine"] = set.Name;
        }

        Parts.Add(part);
    }

    private FakePart? Schedule(FakeVm vm) => Parts.FirstOrDefault(part => part.Name == $"shutdown-computevm-{vm.Name}");

    private HttpResponseMessage Schedule(string path)
    {
        var name = path.Split('/')[^1];
        Parts.RemoveAll(part => part.Name == name);
        Parts.Add(new("Microsoft.DevTestLab/schedules", name, "kept"));
        return FakeAzure.Json(HttpStatusCode.Created, new JsonObject { ["name"] = name });
    }

    private HttpResponseMessage Clear(Uri uri, FakePart part)
    {
        if (part.Kind.EndsWith("schedules", StringComparison.Ordinal))
        {
            Parts.Remove(part);
            return new HttpResponseMessage(HttpStatusCode.OK);
        }

        part.Provisioning = "Deleting";
        return operations.Begin(uri, part.Id, null, (10, _ => Parts.Remove(part)));
    }

    private IEnumerable<string> Statuses(FakeVm vm) => (Views.TryDequeue(out var told) ? told : ViewFor()) ?? vm.Statuses;

    private static HttpResponseMessage Tag(FakeMachineInAzure set, JsonNode body)
    {
        FakeAzure.Patch(set.Tags, body);
        return FakeAzure.Json(HttpStatusCode.OK, FakeAzure.TagsAnswer(set.Id, set.Tags));
    }
}
