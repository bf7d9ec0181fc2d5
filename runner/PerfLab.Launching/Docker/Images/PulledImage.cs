using PerfLab.Launching.Docker.Cleaning;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker.Images;

/// <summary>The root file system of an image named by digest: pulled by the engine, exported from a container that never runs.</summary>
internal static class PulledImage
{
    private const string PullIt = "name an image that this engine can pull; `docker pull` says more";

    /// <exception cref="BaseImageMissingException">The reference has no digest, can't be pulled, or is of another platform.</exception>
    public static async Task ExportAsync(EngineClient engine, string reference, string path, CancellationToken cancellationToken)
    {
        if (!reference.Contains("@sha256:"))
        {
            throw new BaseImageMissingException(
                $"The base image \"{reference}\" is named by a tag, which can move.", "name it by digest: name@sha256:…");
        }

        var image = await PullAsync(engine, reference, cancellationToken);
        if (image is not { Architecture: "amd64", System: "linux" })
        {
            throw new BaseImageMissingException($"The base image {reference} is for {image.System}/{image.Architecture}.", "name one for linux/amd64");
        }

        var spec = new JsonObject
        {
            ["Image"] = image.Id,
            ["Entrypoint"] = new JsonArray("/never-started"),
            ["NetworkDisabled"] = true,
            ["Labels"] = new JsonObject { [Labels.Run] = "base", [Labels.Owner] = Owner.ThisProcess().Label },
        };
        var (id, _) = await engine.CreateContainerAsync($"perf-lab-base-{Guid.NewGuid():n}", spec, cancellationToken);
        try
        {
            await using var file = File.Create(path);
            await engine.ExportContainerAsync(id, file, cancellationToken);
        }
        finally
        {
            await engine.RemoveContainerAsync(id, CancellationToken.None);
        }
    }

    private static async Task<ImageDetails> PullAsync(EngineClient engine, string reference, CancellationToken cancellationToken)
    {
        if (await engine.InspectImageAsync(reference, cancellationToken) is { } present)
        {
            return present;
        }

        try
        {
            await engine.PullImageAsync(reference, cancellationToken);
        }
        catch (EngineException failure) when (failure.EngineAnswered)
        {
            throw new BaseImageMissingException($"The engine can't pull the base image {reference}: {failure.Detail}", PullIt, failure);
        }

        return await engine.InspectImageAsync(reference, cancellationToken)
            ?? throw new BaseImageMissingException($"The engine says that it pulled {reference}, and does not have it.", PullIt);
    }
}
