using System.Formats.Tar;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Docker.Images;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// The bits of one arm on their way to another machine: a tar with builds.json and bits/&lt;identity&gt;/…. It is made on a machine that ran
/// strangers' code, so the reader takes regular files and folders only, believes no path, and computes every identity again.
/// </summary>
internal static class BuildPack
{
    private const string BuildsName = "builds.json", BitsName = "bits";
    private const long MostBytes = 8L << 30;
    private const int MostEntries = 200_000;

    public static async Task WriteAsync(string path, RunPlan plan, IReadOnlyDictionary<(string Cell, string Arm), BuildResult> results, CancellationToken cancellationToken)
    {
        var moved = results.ToDictionary(pair => pair.Key, pair => pair.Value with { Build = pair.Value.Build is { } build ? build with { Folder = Place(build) } : null });
        await using var file = File.Create(path);
        await using var tar = new TarWriter(file, TarEntryFormat.Pax);
        using (var text = new MemoryStream(System.Text.Encoding.UTF8.GetBytes(BuildsFile.Write(plan, moved))))
        {
            await tar.WriteEntryAsync(TarEntries.File(BuildsName, text, TarEntries.Readable), cancellationToken);
        }

        foreach (var build in results.Values.Select(result => result.Build).OfType<Build>().DistinctBy(build => build.Identity, StringComparer.Ordinal))
        {
            if (build.Image is not null)
            {
                throw new LabException($"packing {build.Identity}", "it is a container image, which only the engine that built it has", "pack workloads of kind dotnet or none; build images where they are measured");
            }

            await FolderTar.WriteAsync(tar, build.Folder, Place(build) + "/", cancellationToken);
        }
    }

    /// <summary>Unpacks into <paramref name="folder"/>, which must not exist, and gives the builds of <paramref name="arm"/>.</summary>
    public static IReadOnlyDictionary<(string Cell, string Arm), BuildResult> Read(string path, string arm, string folder, RunPlan plan)
    {
        try
        {
            Unpack(path, folder);
        }
        catch (Exception exception) when (exception is IOException or InvalidDataException or UnauthorizedAccessException)
        {
            throw Refused(path, exception.Message, exception);
        }

        var results = BuildsFile.Results(Path.Combine(folder, BuildsName), plan);
        var asked = plan.Cells.SelectMany(cell => cell.Arms.Where(known => known.Id == arm).Select(known => (cell.Id, known.Id))).ToHashSet();
        if (!asked.SetEquals(results.Keys))
        {
            throw Refused(path, $"it does not hold exactly the builds of arm '{arm}'");
        }

        return results.ToDictionary(pair => pair.Key, pair => pair.Value.Build is { } build ? pair.Value with { Build = Checked(build, folder, path) } : pair.Value);
    }

    private static string Place(Build build) => $"{BitsName}/{build.Identity["sha256:".Length..][..32]}";

    private static Build Checked(Build build, string folder, string path)
    {
        if (build.Image is not null || !build.Identity.StartsWith("sha256:", StringComparison.Ordinal) || build.Identity.Length != 71)
        {
            throw Refused(path, "a build in it is no folder of files");
        }

        var bits = Path.Combine(folder, BitsName, build.Identity["sha256:".Length..][..32]);
        return Directory.Exists(bits) && BuildIdentity.Of(bits) == build.Identity
            ? build with { Folder = bits }
            : throw Refused(path, $"the bits of {build.Identity} are not what their identity says");
    }

    private static void Unpack(string path, string folder)
    {
        var root = Path.GetFullPath(folder) + Path.DirectorySeparatorChar;
        Directory.CreateDirectory(root);
        using var file = File.OpenRead(path);
        using var tar = new TarReader(file);
        var (entries, bytes) = (0, 0L);
        while (tar.GetNextEntry() is { } entry)
        {
            var target = Path.GetFullPath(Path.Combine(root, entry.Name));
            if (++entries > MostEntries || (bytes += entry.Length) > MostBytes || !target.StartsWith(root, StringComparison.Ordinal)
                || entry.EntryType is not (TarEntryType.RegularFile or TarEntryType.Directory))
            {
                throw new InvalidDataException($"entry {entries} is too much, leads outside, or is neither a file nor a folder");
            }

            if (entry.EntryType == TarEntryType.Directory)
            {
                Directory.CreateDirectory(target);
                continue;
            }

            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            entry.ExtractToFile(target, overwrite: false);
        }
    }

    private static LabException Refused(string path, string why, Exception? inner = null) =>
        new($"reading the build pack {path}", why, "build the arm again: `./perf-lab build plan.json --arm base --pack base.tar`", inner);
}
