using System.Security.Cryptography;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// The root file system of an image: the engine has it or pulls it, and exports it from a container that never runs. A name with a tag is
/// taken once: what is kept of it stays, and beside it stands by which digest it came.
/// </summary>
internal sealed class PulledImage(EngineClient engine, string reference) : IBaseSource
{
    /// <summary>What Microsoft makes for self-contained programs: glibc and the libraries that .NET opens, with a shell.</summary>
    public const string Default = "mcr.microsoft.com/dotnet/runtime-deps:10.0-noble";

    private const string PullIt =
        "name an image that this engine has or can pull, in perf-lab.yaml: `base-image: NAME`; `docker pull NAME` tries it";

    // A name alone means its tag "latest"; asked without one, an engine pulls all that there are.
    private readonly string _reference =
        reference.Contains('@') || reference.LastIndexOf(':') > reference.LastIndexOf('/') ? reference : reference + ":latest";

    public string Says => $"the image {_reference}";

    /// <summary>One for both kinds: what an image holds is its maker's choice.</summary>
    public string FileName(BaseKind kind)
    {
        var recipe = $"{_reference}; rules {RootFileSystem.RulesVersion}";
        return $"pulled-{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(recipe)))[..12]}.tar";
    }

    /// <exception cref="BaseImageMissingException">It can't be pulled, or is of another platform.</exception>
    public async Task MakeAsync(BaseKind kind, string path, CancellationToken cancellationToken)
    {
        var raw = path + ".raw";
        try
        {
            var image = await ExportAsync(raw, cancellationToken);
            await RootFileSystem.NormaliseAsync(raw, path, [], cancellationToken);
            var from = Path.Combine(Path.GetDirectoryName(path)!, FileName(kind) + ".from");
            await File.WriteAllTextAsync(from, $"{(image.Digests is [var digest, ..] ? digest : image.Id)}\n", cancellationToken);
        }
        finally
        {
            File.Delete(raw);
        }
    }

    private async Task<ImageDetails> ExportAsync(string path, CancellationToken cancellationToken)
    {
        var image = await PullAsync(cancellationToken);
        if (image is not { Architecture: "amd64", System: "linux" })
        {
            throw new BaseImageMissingException(
                $"The base image {_reference} is for {image.System}/{image.Architecture}.",
                "name one for linux/amd64 (`base-image: NAME` in perf-lab.yaml)");
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
            return image;
        }
        finally
        {
            await engine.RemoveContainerAsync(id, CancellationToken.None);
        }
    }

    private async Task<ImageDetails> PullAsync(CancellationToken cancellationToken)
    {
        if (await engine.InspectImageAsync(_reference, cancellationToken) is { } present)
        {
            return present;
        }

        try
        {
            await engine.PullImageAsync(_reference, cancellationToken);
        }
        catch (EngineException failure) when (failure.EngineAnswered)
        {
            throw new BaseImageMissingException($"The engine can't pull the base image {_reference}: {failure.Detail}", PullIt, failure);
        }

        return await engine.InspectImageAsync(_reference, cancellationToken)
            ?? throw new BaseImageMissingException($"The engine says that it pulled {_reference}, and does not have it.", PullIt);
    }
}
