using Azure.Core;
using PerfLab.Machine.Maintenance;
using PerfLab.Power.Azure;

namespace PerfLab.Power;

/// <summary>What the machine knows about itself.</summary>
public sealed record SelfPortrait(AzureMachine Machine, Lease? Lease);

/// <summary>The machine that this runs on, as its metadata service describes it, and its own identity.</summary>
public sealed class OwnMachine(MetadataService service, TimeProvider clock)
{
    /// <summary>Null when the service doesn't answer sensibly now.</summary>
    public async Task<SelfPortrait?> ReadAsync(CancellationToken cancellationToken)
    {
        var compute = await service.ComputeAsync(cancellationToken);
        if (compute is null || !ResourceIdentifier.TryParse(MetadataService.Text(compute, "resourceId"), out var id) || id?.SubscriptionId is not { } subscription || id.ResourceGroupName is not { } group)
        {
            return null;
        }

        var tags = compute["tagsList"] as JsonArray ?? [];
        var lease = tags.OfType<JsonObject>().FirstOrDefault(tag => MetadataService.Text(tag, "name") == MachineTags.LeaseName);
        return new(new AzureMachine
        {
            Name = MetadataService.Text(compute, "name") ?? id.Name,
            SubscriptionId = subscription,
            ResourceGroup = group,
            AzureName = id.Name,
            Location = MetadataService.Text(compute, "location") ?? "?",
            Size = MetadataService.Text(compute, "vmSize") ?? "?",
        }, Lease.Parse(lease is null ? null : MetadataService.Text(lease, "value")));
    }

    /// <summary>The machine's own identity, as a credential.</summary>
    public TokenCredential Credential => new OwnIdentity(service, clock);

    private sealed class OwnIdentity(MetadataService service, TimeProvider clock) : TokenCredential
    {
        public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            GetTokenAsync(requestContext, cancellationToken).AsTask().GetAwaiter().GetResult();

        public override async ValueTask<AccessToken> GetTokenAsync(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            await service.TokenAsync(cancellationToken) is ({ Length: > 0 } token, var lifetime)
                ? new AccessToken(token, clock.GetUtcNow() + lifetime)
                : throw new HttpRequestException("the metadata service gave no token for this machine's identity");
    }
}
