using System.Security.Cryptography;

namespace PerfLab.Building.Changes;

/// <summary>
/// The files of a published program: which are the runtime's, which are the lab's own tools, and which are what is measured.
/// </summary>
internal sealed class PublishedFiles
{
    /// <summary>Nothing of them reaches a launch.</summary>
    private static readonly string[] Ignored = [".pdb", ".xml", ".deps.json"];

    private const string Driver = "PerfLab.BenchmarkDriver", Kit = "PerfLab.WorkloadKit", Benchmarks = "BenchmarkDotNet";

    private PublishedFiles(string folder, IReadOnlyDictionary<string, string> hashes, IReadOnlySet<string> own,
        IReadOnlySet<string> tools) =>
        (Folder, Hashes, Own, Tools) = (folder, hashes, own, tools);

    public string Folder { get; }

    /// <summary>Path in the folder -> SHA-256, of every file that a launch could read.</summary>
    public IReadOnlyDictionary<string, string> Hashes { get; }

    /// <summary>Assemblies that are measured: the project's, and its packages'.</summary>
    public IReadOnlySet<string> Own { get; }

    /// <summary>BenchmarkDotNet with what only it needs, and the lab's driver.</summary>
    public IReadOnlySet<string> Tools { get; }

    /// <summary>Null when the folder is no published .NET program, or its list of parts can't be read.</summary>
    public static PublishedFiles? Of(string folder)
    {
        if (PartsFile(folder) is not { } list || DepsFile.Parts(list) is not { Count: > 0 } ours)
        {
            return null;
        }

        var measured = Measured(ours);
        return new(folder, HashesOf(folder), Files(ours.Where(library => measured.Contains(Name(library.Key)))),
            Files(ours.Where(library => !measured.Contains(Name(library.Key)))));
    }

    /// <summary>Of the driver, where it is there: the project that it measures may be a program, too, and leave its own beside it.</summary>
    private static string? PartsFile(string folder)
    {
        var drivers = Path.Combine(folder, $"{Driver}.deps.json");
        return !Directory.Exists(folder) ? null : File.Exists(drivers) ? drivers
            : Directory.GetFiles(folder, "*.deps.json") is [var only] ? only : null;
    }

    /// <summary>
    /// What the project reaches without BenchmarkDotNet: a benchmark of a package that BenchmarkDotNet happens to use measures that
    /// package.
    /// </summary>
    private static HashSet<string> Measured(IReadOnlyList<KeyValuePair<string, TargetLibrary>> libraries)
    {
        var needs = libraries.ToLookup(library => Name(library.Key), library =>
            library.Value.Dependencies?.Keys ?? [], StringComparer.OrdinalIgnoreCase);
        var measured = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        var tools = new HashSet<string>([Driver, Kit, Benchmarks, $"{Benchmarks}.Annotations"], StringComparer.OrdinalIgnoreCase);
        var isBenchmark = needs.Contains(Driver);
        // Whatever nobody needs is a program or an extra: without the driver, all of it is measured.
        var next = new Queue<string>(isBenchmark ? needs[Driver].SelectMany(names => names) : needs.Select(library => library.Key));
        while (next.TryDequeue(out var name))
        {
            if (!tools.Contains(name) && measured.Add(name))
            {
                needs[name].SelectMany(names => names).ToList().ForEach(next.Enqueue);
            }
        }

        return measured;
    }

    // The names come from a file: only what lies in the folder is read.
    private static HashSet<string> Files(IEnumerable<KeyValuePair<string, TargetLibrary>> libraries) =>
        new(libraries.SelectMany(library => library.Value.Runtime?.Keys ?? []).Select(path => Path.GetFileName(path)),
            StringComparer.Ordinal);

    private static string Name(string library) => library.Split('/')[0];

    private static Dictionary<string, string> HashesOf(string folder) => Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)
        .Where(file => !Ignored.Any(end => file.EndsWith(end, StringComparison.Ordinal)))
        .ToDictionary(file => Path.GetRelativePath(folder, file), HashOf, StringComparer.Ordinal);

    private static string HashOf(string file)
    {
        using var stream = File.OpenRead(file);
        return Convert.ToHexStringLower(SHA256.HashData(stream));
    }
}
