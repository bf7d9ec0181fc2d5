namespace PerfLab.Lab.Azure;

/// <summary>
/// The few things the lab does to what it leases, each within a deadline and each ending in a reading, a success or an <see
/// cref="AzureException"/>.
/// </summary>
public interface IPower
{
    Task<MachineView> ReadAsync(AzureResource resource, DateTimeOffset deadline, CancellationToken cancellationToken);

    /// <returns>False when Azure takes no tags of it as long as it's off: ask again when it runs.</returns>
    Task<bool> MergeTagsAsync(AzureResource resource, IReadOnlyDictionary<string, string> tags, DateTimeOffset deadline, CancellationToken cancellationToken);

    /// <summary>Removes exactly these pairs: a tag that someone has changed meanwhile stays.</summary>
    /// <returns>As for <see cref="MergeTagsAsync"/>.</returns>
    Task<bool> RemoveTagsAsync(AzureResource resource, IReadOnlyDictionary<string, string> tags, DateTimeOffset deadline, CancellationToken cancellationToken);

    /// <param name="resource">Is off.</param>
    /// <param name="customData">Base 64 of what a machine reads at its first boot; a cluster has none.</param>
    /// <param name="deadline">Nothing begins after it.</param>
    /// <param name="cancellationToken">Leaves it as it is.</param>
    /// <returns>The reading that shows it running.</returns>
    Task<MachineView> StartAsync(AzureResource resource, string? customData, DateTimeOffset deadline, CancellationToken cancellationToken);

    /// <returns>The reading that shows it off: only then it costs nothing.</returns>
    Task<MachineView> StopAsync(AzureResource resource, DateTimeOffset deadline, CancellationToken cancellationToken);
}
