using Azure.Core;

namespace PerfLab.Lab.Azure;

/// <summary>What the lab leases, starts and stops in Azure: a machine, or the cluster.</summary>
public abstract record AzureResource
{
    public required string Name { get; init; }
    public required string SubscriptionId { get; init; }
    public required string ResourceGroup { get; init; }

    /// <summary>Its name in Azure, below the resource group.</summary>
    public required string AzureName { get; init; }
    public required string Location { get; init; }

    /// <summary>VM size: of the machine, or of the cluster's nodes.</summary>
    public required string Size { get; init; }

    /// <summary>
    /// The most that an hour costs while it's on, in the currency of the subscription; only for estimates. 0 when unknown.
    /// </summary>
    public double PricePerHour { get; init; }

    internal abstract ResourceIdentifier Id { get; }

    /// <summary>What an owner types when everything else failed.</summary>
    public abstract string StopByHand { get; }

    /// <summary>How Azure calls being off in the way that costs nothing.</summary>
    public abstract string OffWord { get; }

    /// <summary>The lab's role that allows to switch it (infra/src/roles.ts).</summary>
    internal abstract string PowerRole { get; }
}
