namespace PerfLab.Lab.Azure;

/// <summary>
/// What Azure bills depends on this: a machine costs nothing when it's empty; a deallocated one still has a disk and an address, a
/// stopped one everything. A cluster is never empty, and free when stopped.
/// </summary>
public enum PowerState
{
    /// <summary>The instance view said nothing, something new, or two things at once.</summary>
    Unknown, Starting, Running, Stopping, Stopped, Deallocating, Deallocated, Empty,
}

/// <summary>One reading of a machine, or of the cluster.</summary>
public sealed record MachineView
{
    public required PowerState Power { get; init; }

    /// <summary>Nothing is billed; of a cluster, nothing but its disks.</summary>
    public required bool IsOff { get; init; }

    /// <summary>Azure's word: Succeeded, Updating, Failed; a cluster has Starting and Stopping here.</summary>
    public required string Provisioning { get; init; }

    /// <summary>Names of the virtual machines that a machine's scale set holds; more than one is always wrong.</summary>
    public IReadOnlyList<string> Instances { get; init; } = [];

    /// <summary>Cards, addresses and disks of a virtual machine that is no more.</summary>
    public IReadOnlyList<string> Left { get; init; } = [];

    public required MachineTags Tags { get; init; }

    public Lease? Lease => Tags.Lease;

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
