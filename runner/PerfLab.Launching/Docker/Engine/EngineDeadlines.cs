namespace PerfLab.Launching.Docker.Engine;

/// <summary>How long each sort of call may take, answer included. A call without a deadline can hang for ever (engine-facts: seen).</summary>
public sealed record EngineDeadlines
{
    /// <summary>Ping and version. Long: a machine under load answers late, and who named the engine has nothing else to take.</summary>
    public TimeSpan Greeting { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>Everything that the engine answers from memory: inspect, list, create, remove, kill.</summary>
    public TimeSpan Call { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Starting a container: runc needs 0.2 s, and seconds on a machine whose disk is busy.</summary>
    public TimeSpan Start { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Moving an image in or out, pulling one, building one.</summary>
    public TimeSpan Transfer { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>Between SIGTERM and SIGKILL of a launch that passed its deadline.</summary>
    public TimeSpan Grace { get; init; } = TimeSpan.FromSeconds(2);
}
