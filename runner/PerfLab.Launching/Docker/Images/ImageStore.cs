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
            return image?.Id ?? await LoadAsync(made, build, cancellationToken);
        }

        var baseImage = await bases.GetAsync(build.NeedsShell ? BaseKind.Shell : BaseKind.Minimal, cancellationToken);
        var scratch = Directory.CreateDirectory(Path.Combine(storeFolder, "tmp")).FullName;
        using var workload = await WorkloadImage.MakeAsync(
            baseImage, build, Path.Combine(scratch, $"{Guid.NewGuid():n}.layer"), cancellationToken);
        return await EnsureAsync((workload.Id, workload.DiffIds), build, workload.WriteArchiveAsync, cancellationToken);
    }

    /// <summary>The image of keepers.</summary>
    public Task<string> EnsureKeeperAsync(CancellationToken cancellationToken) => EnsureAsync(
        (KeeperImage.Id, KeeperImage.DiffIds), new Build(KeeperImage.Identity, "", NeedsShell: false), KeeperImage.WriteArchiveAsync,
        cancellationToken);

    /// <summary>The image of a Dockerfile that another machine built: its archive lies where the build was unpacked.</summary>
    private async Task<string> LoadAsync(string image, Build build, CancellationToken cancellationToken)
    {
        var archive = Path.Combine(build.Folder, ImageArchive.FileName);
        if (!File.Exists(archive))
        {
            throw new InvalidOperationException($"The engine no longer has the image {image} of build {build.Identity}; build it again.");
        }

        var diffIds = await ImageArchive.CopyAsync(archive, image, to: null, cancellationToken);
        Task WriteAsync(Stream to, CancellationToken token) => ImageArchive.CopyAsync(archive, image, to, token);
        return await EnsureAsync((image, diffIds), build, WriteAsync, cancellationToken);
    }

    private async Task<string> EnsureAsync(
        (string Id, IReadOnlyList<string> DiffIds) image, Build build, Func<Stream, CancellationToken, Task> write,
        CancellationToken cancellationToken)
    {
        if (await FindAsync(image, build, cancellationToken) is { } present)
        {
            return present;
        }

        using var archive = new ArchiveContent(write);
        await engine.LoadImageAsync(archive, cancellationToken);
        return await FindAsync(image, build, cancellationToken) ?? throw new InvalidOperationException(
            $"The engine took the image {image.Id} of build {build.Identity} without an error, and does not have it.");
    }

    /// <summary>By id; engines with the containerd store name images otherwise, so then by label and layers.</summary>
    private async Task<string?> FindAsync(
        (string Id, IReadOnlyList<string> DiffIds) image, Build build, CancellationToken cancellationToken)
    {
        if (await HasLayersAsync(image.Id, image.DiffIds, cancellationToken))
        {
            return image.Id;
        }

        foreach (var candidate in await engine.ListImagesAsync($"{Labels.Build}={build.Identity}", cancellationToken))
        {
            if (await HasLayersAsync(candidate.Id, image.DiffIds, cancellationToken))
            {
                return candidate.Id;
            }
        }

        return null;
    }

    private async Task<bool> HasLayersAsync(string id, IReadOnlyList<string> diffIds, CancellationToken cancellationToken) =>
        await engine.InspectImageAsync(id, cancellationToken) is { } image && image.DiffIds.SequenceEqual(diffIds, StringComparer.Ordinal);

    /// <summary>The archive as a request body of unknown length: written straight into the connection.</summary>
    private sealed class ArchiveContent : HttpContent
    {
        private readonly Func<Stream, CancellationToken, Task> _write;

        public ArchiveContent(Func<Stream, CancellationToken, Task> write)
        {
            _write = write;
            Headers.ContentType = new("application/x-tar");
        }

        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
            SerializeToStreamAsync(stream, context, CancellationToken.None);

        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken) =>
            _write(stream, cancellationToken);

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
