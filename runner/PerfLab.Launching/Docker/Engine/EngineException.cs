using System.Net;

namespace PerfLab.Launching.Docker.Engine;

/// <summary>What was wrong with a call to the engine.</summary>
public enum EngineFault
{
    /// <summary>The engine answered with an error status.</summary>
    Refused,

    /// <summary>Nobody listens at the endpoint, or it may not be opened.</summary>
    Unreachable,

    /// <summary>No complete answer within the call's deadline.</summary>
    TimedOut,

    /// <summary>The connection ended in the middle of an answer.</summary>
    Cut,

    /// <summary>An answer that an engine does not give: no JSON, null, a redirect, too long.</summary>
    Malformed,
}

/// <summary>A call to the engine failed: what was asked, and what came back.</summary>
public sealed class EngineException : Exception
{
    public EngineException(EngineFault fault, string asked, string message, Exception? inner = null)
        : base($"The engine was asked \"{asked}\": {message}", inner)
    {
        Fault = fault;
        Asked = asked;
        Detail = message;
    }

    public EngineException(HttpStatusCode status, string asked, string message)
        : this(EngineFault.Refused, asked, $"it answered {(int)status}: {message}")
    {
        Status = status;
        Detail = message;
    }

    public EngineFault Fault { get; }

    /// <summary>Method and path, "POST /containers/create".</summary>
    public string Asked { get; }

    /// <summary>Only of <see cref="EngineFault.Refused"/>.</summary>
    public HttpStatusCode? Status { get; }

    /// <summary>What came back, without the question.</summary>
    public string Detail { get; }

    /// <summary>True when the engine itself answered, so it lives; false when nothing can be known about what it did.</summary>
    public bool EngineAnswered => Fault == EngineFault.Refused;
}
