using System.Net;
using PerfLab.Core.Model;

namespace PerfLab.Launching.Docker.Engine;

/// <summary>What was wrong with a call to the engine.</summary>
internal enum EngineFault
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

/// <summary>A call to the engine failed.</summary>
/// <param name="fault">What kind of failure it is.</param>
/// <param name="asked">Method and path, "POST /containers/create".</param>
/// <param name="message">What came back.</param>
internal sealed class EngineException(EngineFault fault, string asked, string message, Exception? inner = null)
    : LabException($"asking the Docker engine for {asked}", message, ToDo(fault), inner)
{
    public EngineException(HttpStatusCode status, string asked, string message)
        : this(EngineFault.Refused, asked, $"it answered {(int)status}: {message}")
    {
        Status = status;
        Detail = message;
    }

    public EngineFault Fault { get; } = fault;

    /// <summary>Only of <see cref="EngineFault.Refused"/>.</summary>
    public HttpStatusCode? Status { get; }

    /// <summary>What came back, without the question and the status.</summary>
    public string Detail { get; } = message;

    /// <summary>True when the engine itself answered, so it lives; false when nothing can be known about what it did.</summary>
    public bool EngineAnswered => Fault == EngineFault.Refused;

    private static string ToDo(EngineFault fault) => fault switch
    {
        EngineFault.Unreachable => "start the engine, or name another with DOCKER_HOST; `--executor process` needs none",
        EngineFault.Refused => "see what the engine's log says about it; `--executor process` needs no engine",
        _ => "see with `docker info` whether a Docker Engine answers at DOCKER_HOST, restart it, then run again; `--executor process` needs none",
    };
}
