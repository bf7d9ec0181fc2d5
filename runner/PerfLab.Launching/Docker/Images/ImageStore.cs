using System.Net;
using PerfLab.Building;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker.Images;

/// <summary>Sees to it that the engine has the image of a build, and says its id there.</summary>
internal sealed class ImageStore(string storeFolder, EngineClient engine, BaseImages bases)
{
    /// <exception cref="BaseImageMissingException">No base for this build.</exception>
    public async Task<string> EnsureAsync(Build build, CancellationToken cancellationToken)
    {
        if (build.Image is { } made)
        {
            var image = await engine.InspectImageAsync(made, cancellationToken);
            return image?.Id ?? throw new InvalidOperationException(
                $"The engine no longer has the image {made} of build {build.Identity}; build it again.");
        }

        var baseImage = await bases.GetAsync(build.NeedsShell ? BaseKind.Shell : BaseKind.Minimal, cancellationToken);
        var scratch = Directory.CreateDirectory(Path.Combine(storeFolder, "tmp")).FullName;
        using var workload = await WorkloadImage.MakeAsync(
            baseImage, build, Path.Combine(scratch, $"{Guid.NewGuid():n}.layer"), cancellationToken);
        if (await FindAsync(workload, build, cancellationToken) is { } present)
        {
            return present;
        }

        using var archive = new ArchiveContent(workload);
        await engine.LoadImageAsync(archive, cancellationToken);
        return await FindAsync(workload, build, cancellationToken) ?? throw new InvalidOperationException(
            $"The engine took the image {workload.Id} of build {build.Identity} without an error, and does not have it.");
    }

    /// <summary>By id; engines with the containerd store name images otherwise, so then by label and layers.</summary>
    private async Task<string?> FindAsync(WorkloadImage workload, Build build, CancellationToken cancellationToken)
    {
        if (await HasLayersAsync(workload.Id, workload, cancellationToken))
        {
            return workload.Id;
        }

        foreach (var candidate in await engine.ListImagesAsync($"{Labels.Build}={build.Identity}", cancellationToken))
        {
            if (await HasLayersAsync(candidate.Id, workload, cancellationToken))
            {
                return candidate.Id;
            }
        }

        return null;
    }

    private async Task<bool> HasLayersAsync(string id, WorkloadImage workload, CancellationToken cancellationToken) =>
        await engine.InspectImageAsync(id, cancellationToken) is { } image && image.DiffIds.SequenceEqual(workload.DiffIds, StringComparer.Ordinal);

    /// <summary>The archive as a request body of unknown length: written straight into the connection.</summary>
    private sealed class ArchiveContent : HttpContent
    {
        private readonly WorkloadImage _workload;

        public ArchiveContent(WorkloadImage workload)
        {
            _workload = workload;
            Headers.ContentType = new("application/x-tar");
        }

        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
            SerializeToStreamAsync(stream, context, CancellationToken.None);

        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken) =>
            _workload.WriteArchiveAsync(stream, cancellationToken);

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
