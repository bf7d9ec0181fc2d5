using Azure.ResourceManager.Compute;

namespace PerfLab.Runner.Azure;

/// <summary>What Azure bills depends on this: only a deallocated machine is free, a stopped one isn't.</summary>
public enum PowerState
{
    /// <summary>The instance view said nothing, something new, or two things at once.</summary>
    Unknown, Starting, Running, Stopping, Stopped, Deallocating, Deallocated,
}

/// <summary>One reading of a machine.</summary>
public sealed record MachineView
{
    public required PowerState Power { get; init; }

    /// <summary>Azure's word: Succeeded, Updating, Failed.</summary>
    public required string Provisioning { get; init; }

    /// <summary>A reimage makes a new one.</summary>
    public string? OsDisk { get; init; }
    public required MachineTags Tags { get; init; }

    public Lease? Lease => Tags.Lease;

    internal static MachineView From(VirtualMachineData data) => new()
    {
        Power = PowerOf(data.InstanceView?.Statuses?.Select(status => status.Code)),
        Provisioning = data.ProvisioningState ?? "unknown",
        OsDisk = data.StorageProfile?.OSDisk?.ManagedDisk?.Id?.ToString() ?? data.StorageProfile?.OSDisk?.Name,
        Tags = new MachineTags(data.Tags.ToDictionary(StringComparer.OrdinalIgnoreCase)),
    };

    internal static PowerState PowerOf(IEnumerable<string?>? codes)
    {
        const string prefix = "PowerState/";
        var words = (codes ?? []).OfType<string>().Where(code => code.StartsWith(prefix, StringComparison.OrdinalIgnoreCase))
            .Select(code => code[prefix.Length..]).Distinct(StringComparer.OrdinalIgnoreCase).ToList();
        return words.Count == 1 && Enum.TryParse<PowerState>(words[0], ignoreCase: true, out var state) && char.IsLetter(words[0][0])
            ? state : PowerState.Unknown;
    }
}
