using PerfLab.Core.Files;

namespace PerfLab.Lab.Azure;

/// <summary>A managed cluster as Azure's container service describes it.</summary>
internal sealed record ManagedCluster(ClusterProperties Properties, Dictionary<string, string>? Tags = null)
{
    public static FileFormat<ManagedCluster> Format { get; } = new("", "a managed cluster") { IsForeign = true };
}

internal sealed record ClusterProperties(string? ProvisioningState = null, ClusterPower? PowerState = null);

internal sealed record ClusterPower(string? Code = null);

/// <summary>How an operation stands.</summary>
internal sealed record OperationStatus(string? Status = null, JsonElement? Error = null)
{
    public static FileFormat<OperationStatus> Format { get; } = new("", "the status of an operation") { IsForeign = true };
}
