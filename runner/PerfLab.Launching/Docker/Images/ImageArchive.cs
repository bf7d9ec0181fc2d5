using System.Formats.Tar;
using System.Security.Cryptography;
using System.Text.RegularExpressions;
using PerfLab.Building;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// An image of a Dockerfile on its way to another machine's engine. It was made where strangers' code ran: the reader takes one form only
/// (<see cref="ArchiveForm"/>), and computes every digest again, from the layers up to the id that the build names.
/// </summary>
public static partial class ImageArchive
{
    public const string FileName = "image.tar";

    private const int MostConfigBytes = 1 << 20;
    private const int MostLayers = 127; // overlay2's own limit: https://docs.docker.com/engine/storage/drivers/overlayfs-driver/
    private const int MostEntries = 1_000_000;
    private const long MostBytes = 8L << 30;

    /// <summary>Writes the image of a build; gives "sha256:…" of its configuration, its id wherever it is loaded.</summary>
    /// <exception cref="EngineException">The engine does not have it, or does not answer as one.</exception>
    /// <exception cref="InvalidDataException">The engine's own archive is none that we understand.</exception>
    public static async Task<string> SaveAsync(EngineClient engine, string image, string path, CancellationToken cancellationToken)
    {
        using var exported = await ExportedImage.OfAsync(engine, image, Path.GetDirectoryName(path)!, cancellationToken);
        var id = ImageConfig.DigestOf(exported.ConfigBytes);
        await using var tar = new TarWriter(new FileStream(path, FileMode.CreateNew), TarEntryFormat.Gnu);
        await ArchiveForm.WriteAsync(tar, (id, exported.ConfigBytes), exported.DiffIds, exported.Layer, cancellationToken);
        return id;
    }

    /// <summary>Reads the archive to its end.</summary>
    /// <exception cref="InvalidDataException">It is not the image that the build names, or none that is launched here.</exception>
    public static void Check(string path, Build build)
    {
        using var tar = new TarReader(File.OpenRead(path));
        var bytes = ReadConfig(tar, build.Image!);
        var config = ImageConfig.Read(bytes);
        Judge(config, build);
        foreach (var diffId in config.DiffIds.Distinct(StringComparer.Ordinal))
        {
            var layer = Next(tar, ArchiveForm.LayerName(diffId), MostBytes);
            var digest = "sha256:" + Convert.ToHexStringLower(SHA256.HashData(layer));
            if (digest != diffId)
            {
                throw new InvalidDataException($"a layer of the image has the digest {digest}, and the configuration says {diffId}");
            }

            layer.Position = 0;
            Scan(layer);
        }

        var manifest = Encoding.UTF8.GetBytes(ArchiveForm.Manifest(build.Image!, config.DiffIds));
        if (!Bytes(Next(tar, ArchiveForm.ManifestName, manifest.Length)).AsSpan().SequenceEqual(manifest) || tar.GetNextEntry() is not null)
        {
            throw new InvalidDataException(
                "the image's manifest is not the one that follows from its configuration, or something stands behind it");
        }
    }

    /// <summary>
    /// The layers of a checked archive; <paramref name="to"/> gets it written anew, so that the engine reads no header of strangers.
    /// </summary>
    internal static async Task<IReadOnlyList<string>> CopyAsync(string path, string image, Stream? to, CancellationToken cancellationToken)
    {
        await using var from = new TarReader(File.OpenRead(path));
        var bytes = ReadConfig(from, image);
        var diffIds = ImageConfig.Read(bytes).DiffIds;
        if (to is not null)
        {
            await using var tar = new TarWriter(to, TarEntryFormat.Gnu, leaveOpen: true);
            Stream Layer(string diffId) => Next(from, ArchiveForm.LayerName(diffId), MostBytes);
            await ArchiveForm.WriteAsync(tar, (image, bytes), diffIds, Layer, cancellationToken);
        }

        return diffIds;
    }

    private static byte[] ReadConfig(TarReader tar, string image)
    {
        var bytes = Bytes(Next(tar, ArchiveForm.ConfigName(image), MostConfigBytes));
        var digest = ImageConfig.DigestOf(bytes);
        return digest == image ? bytes
            : throw new InvalidDataException($"the image's configuration has the digest {digest}, and the build names {image}");
    }

    private static void Judge(ImageConfig config, Build build)
    {
        var labels = config.Defaults?.Labels ?? new Dictionary<string, string>(StringComparer.Ordinal);
        var lowest = config.DiffIds is [var first, ..] ? first : null;
        // Cleaning goes by our labels. An image that stands on one of ours carries its base's, too.
        var allowed = new (string, string?)[] { (Labels.Build, build.Identity), (Labels.Run, ""), (Labels.Base, lowest) };
        var strange = labels.Where(label => label.Key.StartsWith("perf-lab.", StringComparison.Ordinal))
            .Where(label => !allowed.Contains((label.Key, label.Value))).ToList();
        var isCounted = config.DiffIds.Count is > 0 and <= MostLayers && config.DiffIds.All(diffId => Digest().IsMatch(diffId));
        var platform = $"{config.System}/{config.Architecture}";
        var wrong = !isCounted ? $"has no layers, more than {MostLayers}, or one without a digest"
            : platform != "linux/amd64" ? $"is for {platform}; linux/amd64 is measured"
            : config.Defaults?.Volumes is { Count: > 0 } ? "declares a volume"
            : strange is [var label, ..] ? $"carries the label {label.Key} of another build"
            : !labels.ContainsKey(Labels.Build) ? "does not say whose build it is"
            : null;
        if (wrong is not null)
        {
            throw new InvalidDataException($"the image {wrong}");
        }
    }

    /// <summary>A layer's own headers may promise more than its bytes hold: sparse files, and entries without end.</summary>
    private static void Scan(Stream layer)
    {
        using var tar = new TarReader(layer, leaveOpen: true);
        var (entries, bytes) = (0, 0L);
        while (tar.GetNextEntry() is { } entry)
        {
            var attributes = entry is PaxTarEntry pax ? pax.ExtendedAttributes.Keys : [];
            var isSparse = entry.EntryType == TarEntryType.SparseFile
                || attributes.Any(name => name.StartsWith("GNU.sparse", StringComparison.Ordinal));
            if (isSparse || ++entries > MostEntries || (bytes += entry.Length) > MostBytes)
            {
                throw new InvalidDataException("a layer of the image holds sparse files, or too many");
            }
        }
    }

    private static Stream Next(TarReader tar, string name, long mostBytes)
    {
        var entry = tar.GetNextEntry();
        if (entry is { EntryType: TarEntryType.RegularFile } && entry.Name == name && entry.Length <= mostBytes)
        {
            return entry.DataStream ?? new MemoryStream();
        }

        var found = entry is null ? "its end" : "something else, or more than is taken,";
        throw new InvalidDataException($"the image's archive has {found} where {name} is due");
    }

    private static byte[] Bytes(Stream stream)
    {
        using var bytes = new MemoryStream();
        stream.CopyTo(bytes);
        return bytes.ToArray();
    }

    [GeneratedRegex(@"^sha256:[0-9a-f]{64}\z", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Digest();
}
