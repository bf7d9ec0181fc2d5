using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>
/// What Azure refuses, in its own words where they were recorded: after each the source. A fake that accepts everything proves nothing, so
/// each of these is sent by a test (<see cref="AzureRefusalTests"/>).
/// </summary>
internal static class AzureRefusals
{
    /// <summary>Members that a PATCH of a scale set may have, as Azure.ResourceManager.Compute 1.2.0 types them (VirtualMachineScaleSetUpdate), as far as the lab could send them.</summary>
    private static readonly Dictionary<string, string[]> Members = new(StringComparer.Ordinal)
    {
        ["VirtualMachineScaleSetUpdate"] = ["sku", "tags", "identity", "plan", "properties"],
        ["sku"] = ["name", "tier", "capacity"],
        ["properties"] = ["upgradePolicy", "automaticRepairsPolicy", "virtualMachineProfile", "overprovision", "singlePlacementGroup", "scaleInPolicy", "additionalCapabilities"],
        ["virtualMachineProfile"] = ["osProfile", "storageProfile", "networkProfile", "securityProfile", "diagnosticsProfile", "extensionProfile", "licenseType", "billingProfile", "scheduledEventsProfile", "userData", "hardwareProfile"],
        ["osProfile"] = ["customData", "windowsConfiguration", "linuxConfiguration", "secrets"],
    };

    /// <summary>Rights that the parts of a model ask of whoever writes it (Microsoft: error LinkedAuthorizationFailed).</summary>
    private static readonly string[] Linked =
    [
        "Microsoft.Network/virtualNetworks/subnets/join/action", "Microsoft.Network/networkSecurityGroups/join/action", "Microsoft.Network/publicIPAddresses/join/action",
        "Microsoft.ManagedIdentity/userAssignedIdentities/assign/action",
    ];

    private static readonly Dictionary<string, int> Cores = new(StringComparer.Ordinal) { ["Standard_D4s_v5"] = 4, ["Standard_D8s_v5"] = 8 };

    public static HttpResponseMessage? OfPatch(FakeScaleSets azure, FakeMachineInAzure set, FakeCall call)
    {
        if (Parse(call.Body) is not JsonObject body)
        {
            return Bad("InvalidRequestContent", "The request content was invalid and could not be deserialized.");
        }

        if (Unknown("VirtualMachineScaleSetUpdate", body) is { } unknown)
        {
            // Azure/azure-rest-api-specs#286, a logged answer.
            return Bad("InvalidRequestContent",
                $"The request content was invalid and could not be deserialized: 'Could not find member '{unknown.Member}' on object of type '{unknown.Type}'. Path '{unknown.Member}', line 1, position 1046.'.");
        }

        if (body["tags"] is JsonObject tags)
        {
            // R5. REST reference, Virtual Machine Scale Sets - Update: tags are replaced as a whole.
            set.Tags.Clear();
            foreach (var (name, value) in tags)
            {
                set.Tags[name] = (string)value!;
            }
        }

        return (azure.WantsWholeSku && body["sku"] is { } sku && sku["name"] is null ? Bad("InvalidParameter", "Required parameter 'sku.name' is missing (null).") : null)
            ?? OfCustomData(azure, (string?)body["properties"]?["virtualMachineProfile"]?["osProfile"]?["customData"])
            ?? ((int?)body["sku"]?["capacity"] > set.Capacity ? OfStart(azure, set, call) : null);
    }

    private static HttpResponseMessage? OfCustomData(FakeScaleSets azure, string? customData)
    {
        var bytes = new byte[customData?.Length ?? 0];
        if (customData is not null && (customData.Length > 87_380 || !Convert.TryFromBase64String(customData, bytes, out _)))
        {
            // Azure/aks-engine#1663, a logged answer.
            return Bad("InvalidParameter", "Custom data in OSProfile must be in Base64 encoding and with a maximum length of 87380 characters.");
        }

        return customData is null || azure.TakesBlankCustomData || Encoding.UTF8.GetString(bytes).Length > 100 ? null
            : Bad("PropertyChangeNotAllowed", "Changing property 'osProfile.customData' is not allowed.");
    }

    private static HttpResponseMessage? OfStart(FakeScaleSets azure, FakeMachineInAzure set, FakeCall call)
    {
        if (azure.AllowedSizes is { } sizes && !sizes.Contains(set.Size))
        {
            // The answer: Azure/terraform-azurerm-caf-enterprise-scale#771, logged. That a scale set's write is judged by its `sku.name`: the lab's own
            // definition (infra/src/size-policy.ts) names that alias, which Microsoft lists (Get-AzPolicyAlias) and AKS labs deny scale sets by.
            return FakeAzure.Error(HttpStatusCode.Forbidden, "RequestDisallowedByPolicy",
                $"Resource '{set.Name}' was disallowed by policy. Policy identifiers: '[{{\"policyAssignment\":{{\"name\":\"perf-lab-machine-sizes\"}}}}]'.");
        }

        if (azure.AsksForJoin && Linked.FirstOrDefault(action => !FakeRights.Allows(call.Caller, action)) is { } linked)
        {
            // R9. Azure/aad-pod-identity#613, a logged answer: a write of a scale set asks for the right to assign its identity; Azure/vm-scale-sets#72: and
            // to read its image.
            return FakeAzure.Error(HttpStatusCode.Forbidden, "LinkedAuthorizationFailed",
                $"The client '{call.Caller}' has permission to perform action 'Microsoft.Compute/virtualMachineScaleSets/write' on scope '{set.Id}'; however, it does not have permission to perform action '{linked}' on the linked scope(s).");
        }

        var (cores, used) = (CoresOf(set.Size), azure.UsedBeside(set));
        // Azure/karpenter-provider-azure#192, a logged answer: the quota is of all machines of the subscription together.
        return used + cores <= azure.CoreQuota ? null : FakeAzure.Error(HttpStatusCode.Conflict, "OperationNotAllowed",
            $"Operation could not be completed as it results in exceeding approved standardDSv5Family Cores quota. Additional details - Deployment Model: Resource Manager, Location: westeurope, Current Limit: {azure.CoreQuota}, Current Usage: {used}, Additional Required: {cores}, (Minimum) New Limit Required: {used + cores}.");
    }

    public static int CoresOf(string size) => Cores.GetValueOrDefault(size, 4);

    /// <summary>R1, R2: what a virtual machine takes at its creation and never again.</summary>
    public static HttpResponseMessage? OfMachine(FakeVm vm, FakeCall call)
    {
        var body = Parse(call.Body);
        if (call.Verb is "reimage" && (string?)body?["osProfile"]?["customData"] is { } other && other != vm.CustomData)
        {
            // R1. Azure/azure-cli#26303, a logged answer.
            return Bad("BadRequest", "Reimage requires the custom data provided should be same as the custom data provided while creating the Virtual Machine.");
        }

        // R2. pulumi/pulumi-azure-native#1117.
        return call.Method is "PUT" && body?["properties"]?["storageProfile"]?["imageReference"] is not null
            ? FakeAzure.Error(HttpStatusCode.Conflict, "PropertyChangeNotAllowed", "Changing property 'imageReference' is not allowed.") : null;
    }

    public static HttpResponseMessage? OfSchedule(FakeScaleSets azure, FakeCall call)
    {
        if (!azure.HasDevTestLab)
        {
            // MicrosoftDocs/azure-docs#23138: an auto-shutdown in a subscription that has never used DevTest Labs.
            return FakeAzure.Error(HttpStatusCode.Conflict, "MissingSubscriptionRegistration",
                "The subscription is not registered to use namespace 'Microsoft.DevTestLab'. See https://aka.ms/rps-not-found for how to register subscriptions.");
        }

        // hashicorp/terraform-provider-azurerm#5536: a name or a task that is not a machine's shutdown is a 400; the words of the answer were not
        // recorded. The one task that a machine has: hashicorp/terraform-provider-azurerm#4135.
        var isShutdown = call.Path.Split('?')[0].Split('/')[^1].StartsWith("shutdown-computevm-", StringComparison.Ordinal);
        return isShutdown && (string?)Parse(call.Body)?["properties"]?["taskType"] is "ComputeVmShutdownTask" ? null : Bad("BadRequest", "(not recorded)");
    }

    public static HttpResponseMessage? OfPart(FakePart part, IReadOnlyList<FakePart> all)
    {
        // The code is in Microsoft's list of networking errors; the words were not recorded.
        if (part.Vm is not null && part.Kind.EndsWith("networkInterfaces", StringComparison.Ordinal))
        {
            return Bad("NicInUse", "(not recorded)");
        }

        // hashicorp/terraform-provider-azurerm#2566, a logged answer.
        return part.Kind.EndsWith("publicIPAddresses", StringComparison.Ordinal) && all.Any(card => card.Kind.EndsWith("networkInterfaces", StringComparison.Ordinal) && card.Name == part.Name.Replace("address", "card", StringComparison.Ordinal))
            ? Bad("PublicIPAddressCannotBeDeleted", $"Public IP address {part.Id} can not be deleted since it is still allocated to resource.") : null;
    }

    private static (string Type, string Member)? Unknown(string type, JsonObject at)
    {
        if (!Members.TryGetValue(type, out var known))
        {
            return null;
        }

        foreach (var (name, value) in at)
        {
            if (!known.Contains(name))
            {
                return (type, name);
            }

            if (value is JsonObject inner && Unknown(name, inner) is { } deeper)
            {
                return deeper;
            }
        }

        return null;
    }

    private static JsonNode? Parse(string? body)
    {
        try
        {
            return body is null ? null : JsonNode.Parse(body);
        }
        catch (System.Text.Json.JsonException)
        {
            return null;
        }
    }

    private static HttpResponseMessage Bad(string code, string message) => FakeAzure.Error(HttpStatusCode.BadRequest, code, message);
}
