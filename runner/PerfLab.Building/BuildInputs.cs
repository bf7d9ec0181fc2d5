using System.Security.Cryptography;

namespace PerfLab.Building;

/// <summary>
/// What bits were made from: whole folders of every project that took part (the workload, the kit, a library built from source=, anything
/// a workload references) and single files from elsewhere. Folders are hashed whole, so that an added file counts like a changed one.
/// </summary>
internal sealed record BuildInputs(IReadOnlyList<string> Folders, IReadOnlyList<string> Files)
{
    private const string BenchmarksLine = "benchmarks ";

    // MSBuild, NuGet and the SDK look for these in every folder above a project.
    private static readonly string[] Inherited =
        ["Directory.Build.props", "Directory.Build.targets", "Directory.Build.rsp", "Directory.Packages.props", "global.json", "nuget.config", "NuGet.config", "NuGet.Config", ".editorconfig"];

    /// <summary>
    /// Reads the lines that the injected target wrote; <paramref name="own"/> are folders of the build itself, packages and the SDK.
    /// </summary>
    public static BuildInputs Read(string file, string? source, IReadOnlyList<string> own)
    {
        var lines = File.Exists(file) ? File.ReadAllLines(file) : [];
        var folders = lines.Where(line => line.StartsWith("project ", StringComparison.Ordinal))
            .Select(line => Path.GetDirectoryName(line["project ".Length..])!)
            .Concat(source is null ? [] : [Directory.Exists(source) ? source : Path.GetDirectoryName(source)!])
            .Distinct(StringComparer.Ordinal).ToList();
        var outermost = folders.Where(folder => !folders.Any(other => IsInside(folder, other))).Order(StringComparer.Ordinal).ToList();
        var files = lines.Where(line => line.StartsWith("file ", StringComparison.Ordinal)).Select(line => line["file ".Length..])
            .Where(path => !outermost.Concat(own).Any(folder => IsInside(path, folder)))
            .Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal).ToList();
        return new BuildInputs(outermost, files);
    }

    /// <summary>The assembly with the benchmarks, which the driver's project wrote there; null where there is none.</summary>
    public static string? Benchmarks(string file) => !File.Exists(file) ? null
        : File.ReadLines(file).FirstOrDefault(line => line.StartsWith(BenchmarksLine, StringComparison.Ordinal))?[BenchmarksLine.Length..];

    /// <summary>Packages of <c>package=</c> to which a project refers by itself.</summary>
    public static IReadOnlyCollection<string> Packages(string file) => !File.Exists(file) ? [] :
    [
        .. File.ReadLines(file).Where(line => line.StartsWith(PackageTargets.Line, StringComparison.Ordinal))
            .Select(line => line[PackageTargets.Line.Length..]),
    ];

    /// <summary>Hash over contents and names as they are now; a file that is gone counts as gone.</summary>
    public string Hash() => Walk().Hash;

    /// <summary>The newest write to any input, to notice one that changed while it was built.</summary>
    public DateTime LastWriteUtc() => Walk().LastWriteUtc;

    private (string Hash, DateTime LastWriteUtc) Walk()
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var newest = DateTime.MinValue;
        foreach (var path in Folders.SelectMany(FilesOf).Concat(Folders.SelectMany(InheritedBy)).Concat(Files).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal))
        {
            if (!File.Exists(path))
            {
                BuildIdentity.AppendText(hash, path + " is gone");
                continue;
            }

            BuildIdentity.AppendFile(hash, path, path);
            var written = File.GetLastWriteTimeUtc(path);
            newest = written > newest ? written : newest;
        }

        return (Convert.ToHexStringLower(hash.GetHashAndReset()), newest);
    }

    private static IEnumerable<string> FilesOf(string folder) => !Directory.Exists(folder) ? [] : Directory.EnumerateFiles(folder)
        .Concat(Directory.EnumerateDirectories(folder)
            .Where(inner => SourceFolders.IsOne(new DirectoryInfo(inner)))
            .SelectMany(FilesOf));

    private static IEnumerable<string> InheritedBy(string folder)
    {
        for (var above = Path.GetDirectoryName(folder); above is not null; above = Path.GetDirectoryName(above))
        {
            foreach (var file in Inherited.Select(name => Path.Combine(above, name)).Where(File.Exists))
            {
                yield return file;
            }
        }
    }

    private static bool IsInside(string path, string folder) =>
        path.StartsWith(folder.EndsWith(Path.DirectorySeparatorChar) ? folder : folder + Path.DirectorySeparatorChar, StringComparison.Ordinal);
}
