namespace PerfLab.Launching.Docker.Engine;

// Images: load, inspect, list, pull, build, remove; and the networks and volumes that only cleaning touches.
public sealed partial class EngineClient
{
    /// <summary>Null when there is no such image.</summary>
    internal async Task<ImageDetails?> InspectImageAsync(string image, CancellationToken cancellationToken)
    {
        try
        {
            var path = $"images/{Uri.EscapeDataString(image)}/json";
            var answer = new Answer(await AskAsync(HttpMethod.Get, path, Deadlines.Call, null, cancellationToken), "GET /images/json");
            return new ImageDetails(
                answer.Text("Id"), answer.TextOr("Architecture", ""), answer.TextOr("Os", ""),
                answer.Child("RootFS").Texts("Layers"), answer.Child("Config").Names("Volumes"), answer.Child("Config").Texts("Env"));
        }
        catch (EngineException failure) when (IsMissing(failure))
        {
            return null;
        }
    }

    internal async Task<IReadOnlyList<ImageSummary>> ListImagesAsync(string label, CancellationToken cancellationToken)
    {
        var list = await AskAsync(HttpMethod.Get, "images/json?filters=" + LabelFilter(label), Deadlines.Call, null, cancellationToken);
        return Answer.Each(list, "GET /images/json")
            .Select(item => new ImageSummary(item.Text("Id"), item.NumberOr("Size", 0), item.Texts("RepoTags"), item.Map("Labels")))
            .ToArray();
    }

    /// <summary>Loads a docker-archive, streamed.</summary>
    internal async Task LoadImageAsync(HttpContent archive, CancellationToken cancellationToken) =>
        await LastOfProgressAsync("images/load?quiet=1", archive, cancellationToken);

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

    internal async Task<IReadOnlyList<(string Id, IReadOnlyDictionary<string, string> Labels)>> ListNetworksAsync(
        string label, CancellationToken cancellationToken)
    {
        var list = await AskAsync(HttpMethod.Get, "networks?filters=" + LabelFilter(label), Deadlines.Call, null, cancellationToken);
        return Answer.Each(list, "GET /networks").Select(item => (item.Text("Id"), item.Map("Labels"))).ToArray();
    }

    internal async Task<IReadOnlyList<(string Name, IReadOnlyDictionary<string, string> Labels)>> ListVolumesAsync(
        string label, CancellationToken cancellationToken)
    {
        const string asked = "GET /volumes";
        var answer = new Answer(await AskAsync(HttpMethod.Get, "volumes?filters=" + LabelFilter(label), Deadlines.Call, null, cancellationToken), asked);
        return answer.Items("Volumes").Select(item => (item.Text("Name"), item.Map("Labels"))).ToArray();
    }

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
                await foreach (var value in JsonSerializer.DeserializeAsyncEnumerable<JsonNode>(stream, topLevelValues: true, cancellationToken: token))
                {
                    var step = value as JsonObject ?? throw new EngineException(EngineFault.Malformed, call.Asked, "progress that is no object.");
                    if (step["error"] is { } error)
                    {
                        throw new EngineException(EngineFault.Refused, call.Asked, $"{error} {OutputTail.Last(log)}".Trim());
                    }

                    id = (step["aux"] as JsonObject)?["ID"]?.ToString() ?? id;
                    log = OutputTail.Last(log + step["stream"]);
                }
            }
            catch (Exception failure) when (failure is JsonException or InvalidOperationException)
            {
                throw new EngineException(EngineFault.Malformed, call.Asked, $"progress that is no JSON ({failure.Message}).", failure);
            }

            return (id, log);
        }, cancellationToken);
    }
}
