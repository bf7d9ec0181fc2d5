using Azure.ResourceManager.Compute;

namespace PerfLab.Power.Azure;

/// <summary>What Azure bills depends on this: only a deallocated machine is free, a stopped one isn't; a cluster is never deallocated, and free when stopped.</summary>
public enum PowerState
{
    /// <summary>The instance view said nothing, something new, or two things at once.</summary>
    Unknown, Starting, Running, Stopping, Stopped, Deallocating, Deallocated,
}

/// <summary>One reading of a machine, or of the cluster.</summary>
public sealed record MachineView
{
    public required PowerState Power { get; init; }

    /// <summary>Nothing but its disks is billed.</summary>
    public required bool IsOff { get; init; }

    /// <summary>Azure's word: Succeeded, Updating, Failed; a cluster has Starting and Stopping here.</summary>
    public required string Provisioning { get; init; }

    /// <summary>A reimage makes a new one.</summary>
    public string? OsDisk { get; init; }
    public required MachineTags Tags { get; init; }

    public Lease? Lease => Tags.Lease;

    internal static MachineView From(VirtualMachineData data)
    {
        var power = PowerOf(data.InstanceView?.Statuses?.Select(status => status.Code));
        return new()
        {
            Power = power,
            IsOff = power is PowerState.Deallocated,
            Provisioning = data.ProvisioningState ?? "unknown",
            OsDisk = data.StorageProfile?.OSDisk?.ManagedDisk?.Id?.ToString() ?? data.StorageProfile?.OSDisk?.Name,
            Tags = new MachineTags(data.Tags.ToDictionary(StringComparer.OrdinalIgnoreCase)),
        };
    }

    internal static MachineView FromCluster(ManagedCluster cluster)
    {
        var (provisioning, code) = (cluster.Properties.ProvisioningState ?? "unknown", cluster.Properties.PowerState?.Code);
        // "If the provisioningState shows Stopping, your cluster hasn't fully stopped yet" (Microsoft: Stop and start an AKS cluster).
        var power = (provisioning, code) switch
        {
            ("Starting", _) => PowerState.Starting,
            ("Stopping", _) => PowerState.Stopping,
            (_, "Running") => PowerState.Running,
            (_, "Stopped") => PowerState.Stopped,
            _ => PowerState.Unknown,
        };
        return new()
        {
            Power = power,
            IsOff = power is PowerState.Stopped && provisioning is "Succeeded",
            Provisioning = provisioning,
            Tags = new MachineTags((cluster.Tags ?? []).DistinctBy(tag => tag.Key, StringComparer.OrdinalIgnoreCase).ToDictionary(StringComparer.OrdinalIgnoreCase)),
        };
    }

    internal static PowerState PowerOf(IEnumerable<string?>? codes)
    {
        const string prefix = "PowerState/";
        var words = (codes ?? []).OfType<string>().Where(code => code.StartsWith(prefix, StringComparison.OrdinalIgnoreCase))
            .Select(code => code[prefix.Length..]).Distinct(StringComparer.OrdinalIgnoreCase).ToList();
        return words.Count == 1 && Enum.TryParse<PowerState>(words[0], ignoreCase: true, out var state) && char.IsLetter(words[0][0])
            ? state : PowerState.Unknown;
    }
}
