using System.Net;

namespace PerfLab.Launching.Docker.Engine;

// Containers: create, start, wait, inspect, stop, kill, pause, logs, list, remove. Never attach: a stalled attach blocks
// kill and wait (engine-facts 3.3).
public sealed partial class EngineClient
{
    /// <summary>Gives the id, and what the engine warns of (a limit that it can't set).</summary>
    internal async Task<(string Id, IReadOnlyList<string> Warnings)> CreateContainerAsync(string name, JsonObject spec, CancellationToken cancellationToken)
    {
        var path = "containers/create?name=" + Uri.EscapeDataString(name);
        using var body = Json(spec);
        var created = await AskAsync<CreatedContainer>(HttpMethod.Post, path, Deadlines.Call, body, cancellationToken);
        return (created.Id, created.Warnings ?? []);
    }

    internal Task StartContainerAsync(string id, CancellationToken cancellationToken) =>
        AskAsync(HttpMethod.Post, $"containers/{id}/start", Deadlines.Start, null, cancellationToken);

    /// <summary>The exit code once the container is not running. Throws with <see cref="EngineFault.TimedOut"/> at the deadline.</summary>
    internal async Task<int> WaitContainerAsync(string id, TimeSpan deadline, CancellationToken cancellationToken) =>
        (await AskAsync<EndedContainer>(HttpMethod.Post, $"containers/{id}/wait?condition=not-running", deadline, null, cancellationToken)).StatusCode;

    internal Task<ContainerDetails> InspectContainerAsync(string id, CancellationToken cancellationToken) =>
        AskAsync<ContainerDetails>(HttpMethod.Get, $"containers/{id}/json", Deadlines.Call, null, cancellationToken);

    /// <summary>SIGTERM, then SIGKILL after <paramref name="grace"/>.</summary>
    internal Task StopContainerAsync(string id, TimeSpan grace, CancellationToken cancellationToken) =>
        AskAsync(HttpMethod.Post, $"containers/{id}/stop?t={Seconds(grace)}", grace + Deadlines.Call, null, cancellationToken);

    internal Task KillContainerAsync(string id, CancellationToken cancellationToken) =>
        AskAsync(HttpMethod.Post, $"containers/{id}/kill?signal=KILL", Deadlines.Call, null, cancellationToken);

    internal Task PauseContainerAsync(string id, CancellationToken cancellationToken) =>
        AskAsync(HttpMethod.Post, $"containers/{id}/pause", Deadlines.Call, null, cancellationToken);

    internal Task UnpauseContainerAsync(string id, CancellationToken cancellationToken) =>
        AskAsync(HttpMethod.Post, $"containers/{id}/unpause", Deadlines.Call, null, cancellationToken);

    /// <summary>Removes it with its anonymous volumes, running or not; false when it was not there.</summary>
    internal async Task<bool> RemoveContainerAsync(string id, CancellationToken cancellationToken)
    {
        try
        {
            await AskAsync(HttpMethod.Delete, $"containers/{id}?force=1&v=1", Deadlines.Call, null, cancellationToken);
            return true;
        }
        catch (EngineException failure) when (IsMissing(failure))
        {
            return false;
        }
        catch (EngineException failure) when (failure.Status == HttpStatusCode.Conflict)
        {
            // "removal … is already in progress": somebody else removes it; wait until it is gone.
            await AskAsync(HttpMethod.Post, $"containers/{id}/wait?condition=removed", Deadlines.Call, null, cancellationToken);
            return true;
        }
    }

    /// <summary>The last lines that it printed, both streams in the order of the log; bounded by <see cref="LogTail"/>.</summary>
    internal async Task<string> TailAsync(string id, CancellationToken cancellationToken)
    {
        var path = await PrefixAsync(cancellationToken) + $"containers/{id}/logs?stdout=1&stderr=1&tail={LogTail.LinesAsked}";
        return await _transport.StreamAsync(new EngineCall(HttpMethod.Get, path, Deadlines.Call), LogTail.ReadAsync, cancellationToken);
    }

    internal Task<IReadOnlyList<ContainerSummary>> ListContainersAsync(string label, CancellationToken cancellationToken) =>
        AskAsync<IReadOnlyList<ContainerSummary>>(HttpMethod.Get, "containers/json?all=1&filters=" + LabelFilter(label), Deadlines.Call, null, cancellationToken);

    /// <summary>Gives a file or a folder of a container to <paramref name="read"/>, as a tar.</summary>
    internal async Task<T> ReadFilesAsync<T>(
        string id, string path, Func<Stream, CancellationToken, Task<T>> read, CancellationToken cancellationToken)
    {
        var asked = await PrefixAsync(cancellationToken) + $"containers/{id}/archive?path={Uri.EscapeDataString(path)}";
        return await _transport.StreamAsync(new EngineCall(HttpMethod.Get, asked, Deadlines.Call), read, cancellationToken);
    }

    /// <summary>Whether a container has something under a path.</summary>
    internal async Task<bool> HasFileAsync(string id, string path, CancellationToken cancellationToken)
    {
        try
        {
            var asked = $"containers/{id}/archive?path={Uri.EscapeDataString(path)}";
            await AskAsync(HttpMethod.Head, asked, Deadlines.Call, null, cancellationToken);
            return true;
        }
        catch (EngineException failure) when (IsMissing(failure))
        {
            return false;
        }
    }

    /// <summary>The whole root file system of a container that never ran, as a tar.</summary>
    internal async Task ExportContainerAsync(string id, Stream destination, CancellationToken cancellationToken)
    {
        var path = await PrefixAsync(cancellationToken) + $"containers/{id}/export";
        await _transport.StreamAsync(new EngineCall(HttpMethod.Get, path, Deadlines.Transfer), async (body, token) =>
        {
            await body.CopyToAsync(destination, token);
            return true;
        }, cancellationToken);
    }
}
