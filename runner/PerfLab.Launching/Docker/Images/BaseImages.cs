using System.Security.Cryptography;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// Finds the base of a kind, in this order: the cached one; the image named by digest in the settings, pulled by the engine; one made
/// from Debian packages. A cached base is never made again, so that a week of sessions stands on the same bytes.
/// </summary>
internal sealed class BaseImages(string storeFolder, EngineClient? engine, string? pulledImage)
{
    private readonly string _folder = Path.Combine(storeFolder, "bases");

    /// <exception cref="BaseImageMissingException">There is none here and none can be made.</exception>
    public async Task<BaseImage> GetAsync(BaseKind kind, CancellationToken cancellationToken)
    {
        var path = Path.Combine(_folder, FileName(kind));
        if (!File.Exists(path))
        {
            Directory.CreateDirectory(_folder);
            await MakeAsync(kind, path, cancellationToken);
        }

        await using var tar = File.OpenRead(path);
        var digest = await SHA256.HashDataAsync(tar, cancellationToken);
        return new BaseImage(path, "sha256:" + Convert.ToHexStringLower(digest));
    }

    /// <summary>The recipe is part of the name: another package list or another pulled image is another base.</summary>
    private string FileName(BaseKind kind)
    {
        var recipe = pulledImage ?? DebianPackages.Recipe(kind);
        var hash = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(recipe)))[..12];
        return $"{(kind == BaseKind.Minimal ? "minimal" : "shell")}-{(pulledImage is null ? "debian" : "pulled")}-{hash}.tar";
    }

    private async Task MakeAsync(BaseKind kind, string path, CancellationToken cancellationToken)
    {
        // Written beside and renamed: an interrupted run leaves no half base, and two runs at once end with one of two equal files.
        var raw = $"{path}.{Guid.NewGuid():n}.raw";
        var normal = $"{path}.{Guid.NewGuid():n}.tmp";
        try
        {
            if (pulledImage is null)
            {
                await DebianPackages.MakeAsync(kind, raw, cancellationToken);
            }
            else
            {
                await PulledImage.ExportAsync(engine!, pulledImage, raw, cancellationToken);
            }

            await RootFileSystem.NormaliseAsync(raw, normal, pulledImage is null ? DebianPackages.Links(kind) : [], cancellationToken);
            File.Move(normal, path, overwrite: true);
        }
        finally
        {
            File.Delete(raw);
            File.Delete(normal);
        }
    }
}
