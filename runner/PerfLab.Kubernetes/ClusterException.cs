namespace PerfLab.Kubernetes;

/// <summary>What went wrong with a call of the cluster.</summary>
public enum ClusterFault
{
    /// <summary>There is no kubectl on the path.</summary>
    NoKubectl,

    /// <summary>Nobody answered as an API server: no connection, no login, no such context.</summary>
    Unreachable,

    TimedOut,

    /// <summary>The API server refused; <see cref="ClusterException.Reason"/> is its word: Forbidden, NotFound, Invalid.</summary>
    Refused,
}

/// <summary>A call of the cluster that failed, with what the API server or kubectl said.</summary>
public sealed class ClusterException(ClusterFault fault, string asked, string said, string? reason = null) : Exception($"{asked}: {said}")
{
    public ClusterFault Fault { get; } = fault;

    /// <summary>What was tried: "making a job".</summary>
    public string Asked { get; } = asked;

    /// <summary>What came back, word for word.</summary>
    public string Said { get; } = said;

    public string? Reason { get; } = reason;
}
