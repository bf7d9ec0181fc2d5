namespace PerfLab.Launching.Docker.Engine;

/// <summary>What a probe found: an engine that can be used, or why not and what to do.</summary>
public sealed record EngineProbeResult(bool Usable, string Endpoint, string? Version, string? Api, string Says);

/// <summary>Asks once, within a second unless told otherwise, whether there is an engine. Never throws.</summary>
public static class EngineProbe
{
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    public static async Task<EngineProbeResult> AskAsync(CancellationToken cancellationToken, TimeSpan? patience = null)
    {
        try
        {
            return await AskAsync(EngineEndpoint.FromEnvironment(), cancellationToken, patience);
        }
        catch (FormatException unknown)
        {
            return new EngineProbeResult(false, "DOCKER_HOST", null, null, unknown.Message);
        }
    }

    public static async Task<EngineProbeResult> AskAsync(
        EngineEndpoint endpoint, CancellationToken cancellationToken, TimeSpan? patience = null)
    {
        using var client = new EngineClient(endpoint, new EngineDeadlines { Greeting = patience ?? Patience });
        try
        {
            var version = await client.VersionAsync(cancellationToken);
            var api = EngineClient.Negotiate(version);
            return new EngineProbeResult(
                true, endpoint.ToString(), version.Version, api, $"engine {version.Version} at {endpoint}, API {api}");
        }
        catch (EngineException failure)
        {
            return new EngineProbeResult(false, endpoint.ToString(), null, null, failure.Message);
        }
    }
}
