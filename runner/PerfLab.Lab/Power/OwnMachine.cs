using Azure.Core;
using PerfLab.Machine.Watching;
using PerfLab.Lab.Azure;

namespace PerfLab.Lab.Power;

/// <summary>What the machine knows about itself.</summary>
public sealed record SelfPortrait(ResourceIdentifier Id, Lease? Lease);

/// <summary>The machine that this runs on, as its metadata service describes it, and its own identity.</summary>
public sealed class OwnMachine(MetadataService service, TimeProvider clock)
{
    /// <summary>Null when the service doesn't answer sensibly now.</summary>
    public async Task<SelfPortrait?> ReadAsync(CancellationToken cancellationToken)
    {
        var compute = await service.ComputeAsync(cancellationToken);
        if (compute is null || !ResourceIdentifier.TryParse(compute.ResourceId, out var id) || id?.ResourceGroupName is null)
        {
            return null;
        }

        return new(id, Lease.Parse(compute.TagsList?.FirstOrDefault(tag => tag.Name == MachineTags.LeaseName)?.Value));
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
