using Azure.Core;

namespace PerfLab.Lab.Azure;

/// <summary>The lab's AKS cluster, as lab.json names it: no runner and no watchdog on it, and no daily shutdown in Azure.</summary>
public sealed record AzureCluster : AzureResource
{
    /// <summary>Nodes that both pools may have together: what <see cref="AzureResource.PricePerHour"/> counts on.</summary>
    public required int MostNodes { get; init; }

    internal override ResourceIdentifier Id => new(
        $"/subscriptions/{SubscriptionId}/resourceGroups/{ResourceGroup}/providers/Microsoft.ContainerService/managedClusters/{AzureName}");

    public override string StopByHand => $"az aks stop --subscription {SubscriptionId} --resource-group {ResourceGroup} --name {AzureName}";

    public override string OffWord => "stopped";

    internal override string PowerRole => "cluster-power";
}
