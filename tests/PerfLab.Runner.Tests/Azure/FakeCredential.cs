using Azure.Core;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>The token is the caller's name, so that the fake knows who acted.</summary>
public sealed class FakeCredential(string caller) : TokenCredential
{
    public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken) => new(caller, DateTimeOffset.UtcNow.AddDays(1));

    public override ValueTask<AccessToken> GetTokenAsync(TokenRequestContext requestContext, CancellationToken cancellationToken) => new(GetToken(requestContext, cancellationToken));
}
