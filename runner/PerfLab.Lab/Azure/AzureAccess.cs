using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Identity;
using Azure.ResourceManager;

namespace PerfLab.Lab.Azure;

/// <summary>How Azure is reached: who calls, and through what. Tests put a fake behind it.</summary>
public sealed record AzureAccess
{
    private const string Audience = "https://management.azure.com/";

    /// <summary>
    /// What `azure/login` or `az login` left, or the AZURE_* variables. No guessing beyond that: a long chain hides which identity acts.
    /// </summary>
    public static AzureAccess OfThisProcess { get; } = new() { Credential = new ChainedTokenCredential(new EnvironmentCredential(), new AzureCliCredential()) };

    public required TokenCredential Credential { get; init; }
    public HttpPipelineTransport? Transport { get; init; }
    public Uri Endpoint { get; init; } = new("https://management.azure.com");

    /// <summary>For what lies outside of the resource manager, without our token and with a bound.</summary>
    public Func<HttpClient> Storage { get; init; } = () => new HttpClient(new SocketsHttpHandler { AllowAutoRedirect = false })
    {
        Timeout = TimeSpan.FromSeconds(30),
        MaxResponseContentBufferSize = 8 << 20,
    };

    /// <summary>A call that takes longer is given up and counts as no answer.</summary>
    public TimeSpan CallTimeout { get; init; } = TimeSpan.FromSeconds(30);

    internal ArmClient Open() => new(Credential, defaultSubscriptionId: null, Options());

    /// <summary>For calls that the SDK doesn't have.</summary>
    internal HttpPipeline OpenPipeline() => HttpPipelineBuilder.Build(Options(), new BearerTokenAuthenticationPolicy(Credential, $"{Audience}.default"));

    private ArmClientOptions Options()
    {
        var options = new ArmClientOptions { Environment = new ArmEnvironment(Endpoint, Audience) };
        options.RetryPolicy = new RetryPolicy(maxRetries: 0);
        options.Retry.NetworkTimeout = CallTimeout;
        options.Diagnostics.IsTelemetryEnabled = false;
        options.Diagnostics.ApplicationId = "perf-lab";
        if (Transport is not null)
        {
            options.Transport = Transport;
        }

        return options;
    }
}
