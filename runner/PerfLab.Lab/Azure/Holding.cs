using Azure.ResourceManager.Compute;

namespace PerfLab.Lab.Azure;

/// <summary>A machine's scale set, the virtual machines in it, and what earlier ones have left.</summary>
internal sealed record Holding(VirtualMachineScaleSetData Set, IReadOnlyList<VirtualMachineData> Instances, IReadOnlyList<Remain> Left)
{
    private const string ProvisioningFailed = "ProvisioningState/failed/";

    /// <summary>How many Azure thinks there should be; it may be one when there is nobody, after an allocation that failed.</summary>
    public long Capacity => Set.Sku?.Capacity ?? 0;

    public MachineView View => new()
    {
        Power = Power,
        IsOff = Instances.Count == 0 && Left.Count == 0 && Capacity == 0,
        Provisioning = Instances is [var only] ? only.ProvisioningState ?? "unknown" : Set.ProvisioningState ?? "unknown",
        Instances = [.. Instances.Select(instance => instance.Name)],
        Left = [.. Left.Select(remain => remain.Name)],
        Tags = new MachineTags(Set.Tags.ToDictionary(StringComparer.OrdinalIgnoreCase)),
    };

    /// <summary>Azure's code for why a virtual machine could not be made, from its own statuses.</summary>
    public string? FailedBecause => Instances.SelectMany(Statuses).FirstOrDefault(code => code.StartsWith(ProvisioningFailed, StringComparison.OrdinalIgnoreCase))?[ProvisioningFailed.Length..];

    private PowerState Power => Instances switch
    {
        [] => PowerState.Empty,
        [var only] => MachineView.PowerOf(Statuses(only)),
        // Never right; billed all the same.
        _ => PowerState.Running,
    };

    private static IEnumerable<string> Statuses(VirtualMachineData instance) =>
        (instance.InstanceView?.Statuses ?? []).Select(status => status.Code).OfType<string>();
}
