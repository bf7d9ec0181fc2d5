namespace PerfLab.Launching.Docker.Engine;

// Images: load, inspect, list, pull, build, remove; and the networks and volumes that only cleaning touches.
public sealed partial class EngineClient
{
    /// <summary>Null when there is no such image.</summary>
    internal async Task<ImageDetails?> InspectImageAsync(string image, CancellationToken cancellationToken)
    {
        try
        {
            return await AskAsync<ImageDetails>(HttpMethod.Get, $"images/{Uri.EscapeDataString(image)}/json", Deadlines.Call, null, cancellationToken);
        }
        catch (EngineException failure) when (IsMissing(failure))
        {
            return null;
        }
    }

    internal Task<IReadOnlyList<ImageSummary>> ListImagesAsync(string label, CancellationToken cancellationToken) =>
        AskAsync<IReadOnlyList<ImageSummary>>(HttpMethod.Get, "images/json?filters=" + LabelFilter(label), Deadlines.Call, null, cancellationToken);

    /// <summary>Loads a docker-archive, streamed.</summary>
    internal async Task LoadImageAsync(HttpContent archive, CancellationToken cancellationToken) =>
        await LastOfProgressAsync("images/load?quiet=1", archive, cancellationToken);

    /// <summary>Gives the docker-archive of an image to <paramref name="read"/>.</summary>
    internal async Task SaveImageAsync(string image, Func<Stream, CancellationToken, Task> read, CancellationToken cancellationToken)
    {
        var path = await PrefixAsync(cancellationToken) + $"images/{Uri.EscapeDataString(image)}/get";
        var call = new EngineCall(HttpMethod.Get, path, Deadlines.Transfer);
        await _transport.StreamAsync(call, async (body, token) =>
        {
            await read(body, token);
            return true;
        }, cancellationToken);
    }

    /// <summary>Pulls "name@sha256:…".</summary>
    internal async Task PullImageAsync(string reference, CancellationToken cancellationToken) =>
        await LastOfProgressAsync("images/create?fromImage=" + Uri.EscapeDataString(reference), null, cancellationToken);

    /// <summary>Builds a context with the classic builder; gives the image id and the last of what the build printed.</summary>
    internal async Task<(string? Id, string Log)> BuildImageAsync(Stream context, string query, CancellationToken cancellationToken)
    {
        using var body = Tar(context);
        return await LastOfProgressAsync("build?" + query, body, cancellationToken);
    }

    /// <summary>Gives an image one more name.</summary>
    internal Task TagImageAsync(string id, string repository, string tag, CancellationToken cancellationToken) =>
        AskAsync(HttpMethod.Post, $"images/{Uri.EscapeDataString(id)}/tag?repo={Uri.EscapeDataString(repository)}&tag={Uri.EscapeDataString(tag)}", Deadlines.Call, null, cancellationToken);

    /// <summary>By id: removes an image and its tags. By name: takes this name away, and the image only with its last one. False when it was not there.</summary>
    internal Task<bool> RemoveImageAsync(string idOrName, CancellationToken cancellationToken) =>
        RemoveAsync($"images/{Uri.EscapeDataString(idOrName)}?force=1", cancellationToken);

    internal Task<IReadOnlyList<NetworkSummary>> ListNetworksAsync(string label, CancellationToken cancellationToken) =>
        AskAsync<IReadOnlyList<NetworkSummary>>(HttpMethod.Get, "networks?filters=" + LabelFilter(label), Deadlines.Call, null, cancellationToken);

    internal async Task<IReadOnlyList<VolumeSummary>> ListVolumesAsync(string label, CancellationToken cancellationToken) =>
        (await AskAsync<VolumeList>(HttpMethod.Get, "volumes?filters=" + LabelFilter(label), Deadlines.Call, null, cancellationToken)).Volumes ?? [];

    internal Task<bool> RemoveNetworkAsync(string id, CancellationToken cancellationToken) =>
        RemoveAsync("networks/" + Uri.EscapeDataString(id), cancellationToken);

    internal Task<bool> RemoveVolumeAsync(string name, CancellationToken cancellationToken) =>
        RemoveAsync("volumes/" + Uri.EscapeDataString(name), cancellationToken);

    private async Task<bool> RemoveAsync(string path, CancellationToken cancellationToken)
    {
        try
        {
            await AskAsync(HttpMethod.Delete, path, Deadlines.Call, null, cancellationToken);
            return true;
        }
        catch (EngineException failure) when (IsMissing(failure))
        {
            return false;
        }
    }

    /// <summary>Reads a stream of progress objects to its end. Failures come inside it, with status 200.</summary>
    private async Task<(string? Id, string Log)> LastOfProgressAsync(string path, HttpContent? body, CancellationToken cancellationToken)
    {
        var call = new EngineCall(HttpMethod.Post, await PrefixAsync(cancellationToken) + path, Deadlines.Transfer, body);
        return await _transport.StreamAsync(call, async (stream, token) =>
        {
            string? id = null;
            var log = "";
            try
            {
                await foreach (var reading in EngineAnswer<Progress>.Format.ReadEachAsync(stream, token))
                {
                    var step = reading.Value ?? throw new EngineException(EngineFault.Malformed, call.Asked, $"progress that is none: {string.Join("; ", reading.Problems)}");
                    if (step.Error is { } error)
                    {
                        throw new EngineException(EngineFault.Refused, call.Asked, $"{error} {OutputTail.Last(log)}".Trim());
                    }

                    id = step.Image?.Id ?? id;
                    log = OutputTail.Last(log + step.Stream);
                }
            }
            catch (JsonException failure)
            {
                throw new EngineException(EngineFault.Malformed, call.Asked, $"progress that is no JSON ({failure.Message}).", failure);
            }

            return (id, log);
        }, cancellationToken);
    }
}
