using Azure;
using Azure.Core;
using Azure.Core.Pipeline;

namespace PerfLab.Power.Azure;

/// <summary>Three calls of Azure's container service, by hand: an SDK of thousands of types for them would be the larger part of the program.</summary>
internal sealed class ClusterCalls(AzureDoor door, TimeProvider clock)
{
    private const string ApiVersion = "2024-09-01";

    private readonly HttpPipeline pipeline = door.OpenPipeline();

    public async Task<MachineView> ReadAsync(AzureResource cluster, CancellationToken cancellationToken)
    {
        using var answer = await SendAsync(RequestMethod.Get, At(cluster, ""), cancellationToken);
        var reading = ManagedCluster.Format.Read(answer.Content.ToMemory());
        return MachineView.FromCluster(reading.Value ?? throw new JsonException(string.Join("; ", reading.Problems)));
    }

    /// <returns>Where the operation's status is; null when Azure doesn't say, or says an address that is not its own.</returns>
    public async Task<Uri?> BeginAsync(AzureResource cluster, string verb, CancellationToken cancellationToken)
    {
        using var answer = await SendAsync(RequestMethod.Post, At(cluster, "/" + verb), cancellationToken);
        // 200 is what a proxy's page has; Azure accepts (202) or has nothing to do (204).
        if (answer.Status is not (202 or 204))
        {
            throw new JsonException($"status {answer.Status} where 202 was due");
        }

        // The token goes along: to no other host.
        return answer.Headers.TryGetValue("Azure-AsyncOperation", out var text) && Uri.TryCreate(text, UriKind.Absolute, out var status)
            && status.Scheme == door.Endpoint.Scheme && status.Authority == door.Endpoint.Authority ? status : null;
    }

    /// <summary>Why an operation failed; null when it doesn't say, or may not be asked.</summary>
    public async Task<AzureException?> ReasonAsync(Uri status, CancellationToken cancellationToken)
    {
        try
        {
            using var answer = await SendAsync(RequestMethod.Get, status, cancellationToken);
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

    private Uri At(AzureResource cluster, string below) => new(door.Endpoint, $"{cluster.Id}{below}?api-version={ApiVersion}");

    private async Task<Response> SendAsync(RequestMethod method, Uri address, CancellationToken cancellationToken)
    {
        using var request = pipeline.CreateRequest();
        request.Method = method;
        request.Uri.Reset(address);
        request.Headers.Add(HttpHeader.Common.JsonAccept);
        var answer = await pipeline.SendRequestAsync(request, cancellationToken);
        return answer.IsError ? throw new RequestFailedException(answer) : answer;
    }
}
