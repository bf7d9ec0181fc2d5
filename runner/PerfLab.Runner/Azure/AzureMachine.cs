using Azure.Core;

namespace PerfLab.Runner.Azure;

/// <summary>A virtual machine of the lab, as lab.json names it.</summary>
public sealed record AzureMachine
{
    public required string Name { get; init; }
    public required string SubscriptionId { get; init; }
    public required string ResourceGroup { get; init; }
    public required string VmName { get; init; }
    public required string Location { get; init; }
    public required string Size { get; init; }

    /// <summary>In the currency of the subscription; only for estimates. 0 when unknown.</summary>
    public double PricePerHour { get; init; }

    internal ResourceIdentifier Id => new(
        $"/subscriptions/{SubscriptionId}/resourceGroups/{ResourceGroup}/providers/Microsoft.Compute/virtualMachines/{VmName}");

    /// <summary>What an owner types when everything else failed.</summary>
    public string DeallocateByHand => $"az vm deallocate --subscription {SubscriptionId} --resource-group {ResourceGroup} --name {VmName}";
}
