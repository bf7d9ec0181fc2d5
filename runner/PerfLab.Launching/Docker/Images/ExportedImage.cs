using System.Formats.Tar;
using System.IO.Compression;
using System.Security.Cryptography;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// An image as its engine gives it away, unpacked into a folder of ours. Engines differ: layers may be links to others, or compressed, and
/// what an image is called there may be the digest of something else.
/// </summary>
internal sealed class ExportedImage : IDisposable
{
    private const int MostLinks = 8;

    private readonly string _folder;
    private readonly Dictionary<string, string> _files = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _links = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _layers = new(StringComparer.Ordinal);

    private ExportedImage(string folder) => _folder = folder;

    public byte[] ConfigBytes { get; private set; } = [];

    public IReadOnlyList<string> DiffIds { get; private set; } = [];

    /// <exception cref="InvalidDataException">The archive is none that we understand.</exception>
    public static async Task<ExportedImage> OfAsync(EngineClient engine, string image, string scratch, CancellationToken cancellationToken)
    {
        var exported = new ExportedImage(Directory.CreateDirectory(Path.Combine(scratch, $"{Guid.NewGuid():n}.export")).FullName);
        try
        {
            await engine.SaveImageAsync(image, exported.UnpackAsync, cancellationToken);
            await exported.FindPartsAsync(cancellationToken);
            return exported;
        }
        catch
        {
            exported.Dispose();
            throw;
        }
    }

    /// <summary>The uncompressed tar of a layer.</summary>
    public Stream Layer(string diffId) => File.OpenRead(_layers[diffId]);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task UnpackAsync(Stream archive, CancellationToken cancellationToken)
    {
        await using var tar = new TarReader(archive);
        while (await tar.GetNextEntryAsync(copyData: false, cancellationToken) is { } entry)
        {
            if (entry.EntryType is TarEntryType.RegularFile or TarEntryType.V7RegularFile)
            {
                // Under names of our own: what the archive calls its files leads nowhere.
                await entry.ExtractToFileAsync(_files[entry.Name] = NewFile(), overwrite: false, cancellationToken);
            }
            else if (entry.EntryType is TarEntryType.SymbolicLink or TarEntryType.HardLink)
            {
                var from = entry.EntryType == TarEntryType.HardLink ? "" : Path.GetDirectoryName(entry.Name)!;
                _links[entry.Name] = Path.GetRelativePath("/", Path.GetFullPath(Path.Combine("/", from, entry.LinkName)));
            }
        }
    }

    private async Task FindPartsAsync(CancellationToken cancellationToken)
    {
        var manifest = await File.ReadAllBytesAsync(Find(ArchiveForm.ManifestName), cancellationToken);
        var reading = EngineAnswer<IReadOnlyList<ArchivedImage>>.Format.Read(manifest);
        if (reading.Value is not [var image])
        {
            var problems = string.Join("; ", reading.Problems.Take(3));
            throw new InvalidDataException($"the engine's archive holds not exactly one image: {problems}");
        }

        ConfigBytes = await File.ReadAllBytesAsync(Find(image.Config), cancellationToken);
        DiffIds = ImageConfig.Read(ConfigBytes).DiffIds;
        if (DiffIds.Count != image.Layers.Count)
        {
            throw new InvalidDataException($"the engine's archive has {image.Layers.Count} layers, and the image {DiffIds.Count}");
        }

        foreach (var (diffId, name) in DiffIds.Zip(image.Layers).DistinctBy(pair => pair.First, StringComparer.Ordinal))
        {
            _layers[diffId] = await UncompressedAsync(diffId, Find(name), cancellationToken);
        }
    }

    private async Task<string> UncompressedAsync(string diffId, string path, CancellationToken cancellationToken)
    {
        await using var file = File.OpenRead(path);
        var isPacked = file.ReadByte() == 0x1f && file.ReadByte() == 0x8b; // gzip
        file.Position = 0;
        var plain = path;
        if (isPacked)
        {
            plain = NewFile();
            await using var unpacked = new GZipStream(file, CompressionMode.Decompress);
            await using var target = File.Create(plain);
            await unpacked.CopyToAsync(target, cancellationToken);
        }

        await using var layer = File.OpenRead(plain);
        var digest = "sha256:" + Convert.ToHexStringLower(await SHA256.HashDataAsync(layer, cancellationToken));
        return digest == diffId ? plain : throw new InvalidDataException($"the engine's archive has a layer {digest} in place of {diffId}");
    }

    private string Find(string name)
    {
        for (var links = 0; links < MostLinks && _links.TryGetValue(name, out var target); links++)
        {
            name = target;
        }

        return _files.GetValueOrDefault(name) ?? throw new InvalidDataException($"the engine's archive lacks {name}");
    }

    private string NewFile() => Path.Combine(_folder, Guid.NewGuid().ToString("n"));
}
