using Azure;
using Azure.Core;

namespace PerfLab.Lab.Azure;

/// <summary>Three calls of Azure's container service.</summary>
internal sealed class ClusterCalls(AzureAccess access, TimeProvider clock)
{
    private const string ApiVersion = "2024-09-01";

    private readonly ArmCalls arm = new(access);

    public async Task<MachineView> ReadAsync(AzureResource cluster, CancellationToken cancellationToken)
    {
        using var answer = await arm.SendAsync(RequestMethod.Get, At(cluster, ""), cancellationToken);
        var reading = ManagedCluster.Format.Read(answer.Content.ToMemory());
        return MachineView.FromCluster(reading.Value ?? throw new JsonException(string.Join("; ", reading.Problems)));
    }

    /// <returns>Where the operation's status is; null when Azure doesn't say, or says an address that is not its own.</returns>
    public async Task<Uri?> BeginAsync(AzureResource cluster, string verb, CancellationToken cancellationToken)
    {
        using var answer = await arm.SendAsync(RequestMethod.Post, At(cluster, "/" + verb), cancellationToken);
        // 200 is what a proxy's page has; Azure accepts (202) or has nothing to do (204).
        if (answer.Status is not (202 or 204))
        {
            throw new JsonException($"status {answer.Status} where 202 was due");
        }

        return answer.Headers.TryGetValue("Azure-AsyncOperation", out var text) ? arm.OwnAddress(text) : null;
    }

    /// <summary>Why an operation failed; null when it doesn't say, or may not be asked.</summary>
    public async Task<AzureException?> ReasonAsync(Uri status, CancellationToken cancellationToken)
    {
        try
        {
            using var answer = await arm.SendAsync(RequestMethod.Get, status, cancellationToken);
            if (OperationStatus.Format.Read(answer.Content.ToMemory()).Value?.Error is null)
            {
                return null;
            }

            var failed = new RequestFailedException(answer);
            return AzureFailure.From(failed, clock.GetUtcNow()) is { } failure ? new AzureException(failure, failed) : null;
        }
        catch (Exception exception) when (!cancellationToken.IsCancellationRequested && AzureFailure.From(exception, clock.GetUtcNow()) is not null)
        {
            return null;
        }
    }

    private Uri At(AzureResource cluster, string below) => arm.At(cluster.Id + below, ApiVersion);
}
