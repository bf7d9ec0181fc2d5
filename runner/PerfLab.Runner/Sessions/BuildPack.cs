using System.Formats.Tar;
using System.Text.RegularExpressions;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Docker.Images;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// The bits of one arm on their way to another machine: a tar with builds.json and bits/&lt;identity&gt;/…; of an image, its
/// archive. It is made on a machine that ran strangers' code, so the reader takes regular files and folders only, believes no path, and computes every identity again.
/// </summary>
internal static partial class BuildPack
{
    private const string BuildsName = "builds.json", BitsName = "bits";
    private const long MostBytes = 8L << 30;
    private const int MostEntries = 200_000;

    /// <param name="store">Folder of ours, for image archives on their way into the pack.</param>
    public static async Task WriteAsync(
        string path, RunPlan plan, IReadOnlyDictionary<(string Cell, string Arm), BuildResult> results, string store,
        CancellationToken cancellationToken)
    {
        if (plan.Cells.Any(cell => cell.Result == ResultFormat.WallTime))
        {
            throw new LabException($"packing {path}", "the plan is about commands, which are not built but lie on this machine",
                "measure them here: ./perf-lab run --command '…' --against '…'");
        }

        var scratch = Directory.CreateDirectory(Path.Combine(store, "tmp", $"{Guid.NewGuid():n}.images")).FullName;
        try
        {
            var images = await SaveImagesAsync(results.Values.Select(result => result.Build).OfType<Build>(), scratch, cancellationToken);
            await WriteAsync(path, plan, results, images, cancellationToken);
        }
        finally
        {
            Directory.Delete(scratch, recursive: true);
        }
    }

    /// <summary>Identity -> the build, in a folder that holds its image's archive, with the id that the image has everywhere.</summary>
    private static async Task<Dictionary<string, Build>> SaveImagesAsync(
        IEnumerable<Build> builds, string scratch, CancellationToken cancellationToken)
    {
        var saved = new Dictionary<string, Build>(StringComparer.Ordinal);
        foreach (var build in builds.Where(build => build.Image is not null).DistinctBy(build => build.Identity, StringComparer.Ordinal))
        {
            using var engine = new EngineClient(EngineEndpoint.FromEnvironment());
            var folder = Directory.CreateDirectory(Path.Combine(scratch, Path.GetFileName(Place(build)))).FullName;
            var id = await ImageArchive.SaveAsync(engine, build.Image!, Path.Combine(folder, ImageArchive.FileName), cancellationToken);
            saved[build.Identity] = build with { Folder = folder, Image = id };
        }

        return saved;
    }

    private static async Task WriteAsync(
        string path, RunPlan plan, IReadOnlyDictionary<(string Cell, string Arm), BuildResult> results, Dictionary<string, Build> images,
        CancellationToken cancellationToken)
    {
        var moved = results.ToDictionary(pair => pair.Key, pair => pair.Value with
        {
            Build = pair.Value.Build is { } build
                ? (images.GetValueOrDefault(build.Identity) ?? build) with { Folder = Place(build) } : null,
        });
        await using var file = File.Create(path);
        await using var tar = new TarWriter(file, TarEntryFormat.Pax);
        using (var text = new MemoryStream(Encoding.UTF8.GetBytes(BuildsFile.Write(plan, moved))))
        {
            await tar.WriteEntryAsync(TarEntries.File(BuildsName, text, TarEntries.Readable), cancellationToken);
        }

        foreach (var build in results.Values.Select(result => result.Build).OfType<Build>().DistinctBy(build => build.Identity, StringComparer.Ordinal))
        {
            var folder = images.GetValueOrDefault(build.Identity)?.Folder ?? build.Folder;
            await FolderTar.WriteAsync(tar, folder, Place(build) + "/", cancellationToken);
        }
    }

    /// <summary>Unpacks into <paramref name="folder"/>, which must not exist, and gives the builds of <paramref name="arm"/>.</summary>
    public static IReadOnlyDictionary<(string Cell, string Arm), BuildResult> Read(string path, string arm, string folder, RunPlan plan)
    {
        try
        {
            Unpack(path, folder);
            if (!File.Exists(Path.Combine(folder, BuildsName)))
            {
                throw new InvalidDataException($"it holds no {BuildsName}, so it is no pack, or is empty or cut");
            }

            // Many cells may have one build: its bits are read once.
            var read = new Dictionary<Build, Build>();
            return BuildsFile.Results(Path.Combine(folder, BuildsName), plan, id => id == arm).ToDictionary(
                pair => pair.Key, pair => pair.Value.Build is not { } build ? pair.Value : pair.Value with
                {
                    Build = read.TryGetValue(build, out var known) ? known : read[build] = Checked(build, folder, path),
                });
        }
        // A file that is no tar, and bits that nobody may read: the base library has many words for them.
        catch (Exception exception) when (exception is IOException or InvalidDataException or UnauthorizedAccessException or ArgumentException or FormatException or OverflowException)
        {
            throw Refused(path, exception.Message, exception);
        }
    }

    private static string Place(Build build) => $"{BitsName}/{build.Identity["sha256:".Length..][..32]}";

    private static Build Checked(Build build, string folder, string path)
    {
        var bits = Path.Combine(folder, Place(build));
        if (build.Image is not null)
        {
            ImageArchive.Check(Path.Combine(bits, ImageArchive.FileName), build);
        }
        else if (!Directory.Exists(bits) || BuildIdentity.Of(bits) != build.Identity)
        {
            throw Refused(path, $"the bits of {build.Identity} are not what their identity says");
        }

        return build with { Folder = bits };
    }

    private static void Unpack(string path, string folder)
    {
        Directory.CreateDirectory(folder);
        using var file = File.OpenRead(path);
        using var tar = new TarReader(file);
        var (entries, bytes) = (0, 0L);
        while (tar.GetNextEntry() is { } entry)
        {
            var isFolder = entry.EntryType == TarEntryType.Directory;
            if (++entries > MostEntries || (bytes += entry.Length) > MostBytes || !Name().IsMatch(entry.Name) || !(isFolder || entry.EntryType == TarEntryType.RegularFile))
            {
                throw new InvalidDataException($"entry {entries}, {UntrustedText.Code(entry.Name)}, "
                    + (entries > MostEntries ? Invariant($"is one more than the {MostEntries} that a pack may have")
                        : bytes > MostBytes ? Invariant($"takes it above the {MostBytes >> 20} MiB that a pack may have")
                        : Name().IsMatch(entry.Name) ? "is neither a file nor a folder"
                        : "is neither builds.json nor something in a build's folder"));
            }

            var target = Path.Combine(folder, entry.Name);
            Directory.CreateDirectory(isFolder ? target : Path.GetDirectoryName(target)!);
            if (!isFolder)
            {
                entry.ExtractToFile(target, overwrite: false);
            }
        }
    }

    /// <summary>builds.json, or something in a build's folder: no part of the name is empty, "." or "..".</summary>
    [GeneratedRegex(@"^(builds\.json|bits(/[0-9a-f]{32}(/(?!\.{1,2}(/|\z))[^/\0]+)*)?/?)\z", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Name();

    private static LabException Refused(string path, string why, Exception? inner = null) =>
        new($"reading the build pack {path}", why, "build the arm again: `./perf-lab build plan.json --arm base --pack base.tar`", inner);
}
