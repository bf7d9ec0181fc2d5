using Azure.Core;

namespace PerfLab.Lab.Azure;

/// <summary>When Azure itself switches a machine off, every day.</summary>
/// <param name="Time">Local time, HHmm.</param>
/// <param name="TimeZone">A Windows time zone name.</param>
public sealed record DailyShutdown(string Time, string TimeZone);

/// <summary>A machine of the lab, as lab.json names it: a scale set that holds nobody, or one virtual machine for one request.</summary>
public sealed record AzureMachine : AzureResource
{
    /// <summary>Says which lab a thing in Azure is of (infra/src/config/names.ts).</summary>
    public const string StackTag = "perf-lab:stack";

    /// <summary>Says which machine a card, an address or a disk was made for.</summary>
    public const string MachineTag = "perf-lab:machine";

    /// <summary>Another stack's machine of the same name is none of ours; null doesn't look.</summary>
    public string? Stack { get; init; }

    /// <summary>The last layer, made for each virtual machine; null makes none.</summary>
    public DailyShutdown? Shutdown { get; init; }

    internal override ResourceIdentifier Id => new(
        $"/subscriptions/{SubscriptionId}/resourceGroups/{ResourceGroup}/providers/Microsoft.Compute/virtualMachineScaleSets/{AzureName}");

    public override string StopByHand => $"az vmss scale --subscription {SubscriptionId} --resource-group {ResourceGroup} --name {AzureName} --new-capacity 0";

    public override string OffWord => "empty";

    internal override string PowerRole => "power";
}
