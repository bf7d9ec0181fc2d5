using System.Formats.Tar;
using System.Security.Cryptography;
using PerfLab.Building;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// An image that we write ourselves: a base layer, one layer with the build, a configuration. Its id is the configuration's digest, so
/// it is known before any engine sees it, and the same build gives the same bytes on every machine.
/// </summary>
internal sealed class WorkloadImage : IDisposable
{
    /// <summary>Numeric, so that it does not depend on /etc/passwd; 65532 is the "nonroot" of distroless images.</summary>
    public const int UserId = 65532;

    private readonly string _layerPath;
    private readonly byte[] _config;

    private WorkloadImage(BaseImage baseImage, string layerPath, string layerDiffId, string buildIdentity)
    {
        Base = baseImage;
        _layerPath = layerPath;
        DiffIds = [baseImage.DiffId, layerDiffId];
        _config = Encoding.UTF8.GetBytes(Config(DiffIds, buildIdentity).ToJsonString());
        Id = Digest(SHA256.HashData(_config));
    }

    public BaseImage Base { get; }

    /// <summary>"sha256:…" of the configuration: the image id in engines with the classic store.</summary>
    public string Id { get; }

    /// <summary>Digests of the layers, base first: what names the content in every engine.</summary>
    public IReadOnlyList<string> DiffIds { get; }

    /// <summary>Writes the layer of <paramref name="build"/> to <paramref name="layerPath"/>, which the image deletes when disposed.</summary>
    public static async Task<WorkloadImage> MakeAsync(BaseImage baseImage, Build build, string layerPath, CancellationToken cancellationToken)
    {
        await using var file = new FileStream(layerPath, FileMode.CreateNew, FileAccess.ReadWrite);
        await using (var tar = new TarWriter(file, TarEntryFormat.Gnu, leaveOpen: true))
        {
            await WriteAccountsAsync(tar, cancellationToken);
            await FolderTar.WriteAsync(tar, build.Folder, "app/", cancellationToken);
        }

        file.Position = 0;
        var diffId = Digest(await SHA256.HashDataAsync(file, cancellationToken));
        return new WorkloadImage(baseImage, layerPath, diffId, build.Identity);
    }

    /// <summary>Writes the docker-archive: configuration, layers, manifest.</summary>
    public async Task WriteArchiveAsync(Stream destination, CancellationToken cancellationToken)
    {
        await using var tar = new TarWriter(destination, TarEntryFormat.Gnu, leaveOpen: true);
        Stream Layer(string diffId) => File.OpenRead(diffId == Base.DiffId ? Base.TarPath : _layerPath);
        await ArchiveForm.WriteAsync(tar, (Id, _config), DiffIds, Layer, cancellationToken);
    }

    public void Dispose() => File.Delete(_layerPath);

    private static async Task WriteAccountsAsync(TarWriter tar, CancellationToken cancellationToken)
    {
        await tar.WriteEntryAsync(TarEntries.Folder("etc"), cancellationToken);
        // Without an entry for the user, Environment.UserName throws IOException (engine-facts 2).
        await tar.WriteEntryAsync(TarEntries.Text("etc/passwd",
            $"root:x:0:0:root:/root:/usr/sbin/nologin\nworkload:x:{UserId}:{UserId}::/tmp:/usr/sbin/nologin\n"), cancellationToken);
        await tar.WriteEntryAsync(TarEntries.Text("etc/group", $"root:x:0:\nworkload:x:{UserId}:\n"), cancellationToken);
        foreach (var folder in new[] { "tmp", "out", "app" })
        {
            await tar.WriteEntryAsync(TarEntries.Folder(folder), cancellationToken);
        }
    }

    private static JsonObject Config(IReadOnlyList<string> diffIds, string buildIdentity) => new()
    {
        ["architecture"] = "amd64",
        ["os"] = "linux",
        ["created"] = "1970-01-01T00:00:00Z",
        ["config"] = new JsonObject
        {
            ["User"] = $"{UserId}:{UserId}",
            ["WorkingDir"] = "/app",
            // A base that somebody named may have no ICU, and without ICU .NET aborts at start unless globalization is invariant.
            // It is part of the image, not of the launch: the same for every arm. It moves no program whose runtimeconfig.json says
            // otherwise.
            ["Env"] = new JsonArray("PATH=/usr/local/bin:/usr/bin:/bin", "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1"),
            ["Labels"] = new JsonObject { [Labels.Build] = buildIdentity, [Labels.Base] = diffIds[0] },
        },
        ["rootfs"] = new JsonObject { ["type"] = "layers", ["diff_ids"] = Strings(diffIds) },
        ["history"] = new JsonArray(diffIds.Select(_ => (JsonNode)new JsonObject { ["created"] = "1970-01-01T00:00:00Z" }).ToArray()),
    };

    private static JsonArray Strings(IEnumerable<string> texts) => new(texts.Select(text => (JsonNode)JsonValue.Create(text)).ToArray());

    private static string Digest(byte[] hash) => "sha256:" + Convert.ToHexStringLower(hash);
}
