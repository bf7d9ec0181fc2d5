using PerfLab.Lab.Azure;

namespace PerfLab.Lab.Power;

/// <summary>The power of whatever lab.json names: each kind through its own part of Azure.</summary>
public sealed class AzurePower(IPower machines, IPower clusters) : IPower
{
    public Task<MachineView> ReadAsync(AzureResource resource, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        Of(resource).ReadAsync(resource, deadline, cancellationToken);

    public Task<bool> MergeTagsAsync(
        AzureResource resource, IReadOnlyDictionary<string, string> tags, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        Of(resource).MergeTagsAsync(resource, tags, deadline, cancellationToken);

    public Task<bool> RemoveTagsAsync(
        AzureResource resource, IReadOnlyDictionary<string, string> tags, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        Of(resource).RemoveTagsAsync(resource, tags, deadline, cancellationToken);

    public Task<MachineView> StartAsync(
        AzureResource resource, string? customData, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        Of(resource).StartAsync(resource, customData, deadline, cancellationToken);

    public Task<MachineView> StopAsync(AzureResource resource, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        Of(resource).StopAsync(resource, deadline, cancellationToken);

    private IPower Of(AzureResource resource) => resource is AzureCluster ? clusters : machines;
}
