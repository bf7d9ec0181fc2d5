using Azure.Core;

namespace PerfLab.Power.Azure;

/// <summary>A virtual machine of the lab, as lab.json names it.</summary>
public sealed record AzureMachine : AzureResource
{
    internal override ResourceIdentifier Id => new(
        $"/subscriptions/{SubscriptionId}/resourceGroups/{ResourceGroup}/providers/Microsoft.Compute/virtualMachines/{AzureName}");

    public override string StopByHand => $"az vm deallocate --subscription {SubscriptionId} --resource-group {ResourceGroup} --name {AzureName}";

    public override string OffWord => "deallocated";

    internal override string PowerRole => "power";
}
