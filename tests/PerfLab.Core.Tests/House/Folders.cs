using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.House;

/// <summary>One file needs another folder.</summary>
internal sealed record Arrow(string From, string To, string File);

/// <summary>
/// The folders under runner/ and the arrows between them. A using is an arrow, because the compiler refuses one that is not needed. A folder
/// sees the types of the folders around it without a using: there the names of their types tell.
/// </summary>
internal sealed class Folders
{
    private readonly ILookup<string, SourceFile> files;
    private readonly Dictionary<string, HashSet<string>> declared;

    public Folders(IEnumerable<SourceFile> sources)
    {
        files = sources.ToLookup(file => file.Folder);
        declared = files.ToDictionary(
            folder => folder.Key, folder => folder.SelectMany(file => file.DeclaredTypes.Concat(file.ExtensionMethods)).ToHashSet());
        Arrows = [.. files.SelectMany(folder => folder).SelectMany(ArrowsOf).Distinct()];
    }

    public static Folders OfTheRunner { get; } = new(Read(Path.Combine(Repository.Root, "runner")));

    public IReadOnlyList<Arrow> Arrows { get; }

    public IEnumerable<string> Names => files.Select(folder => folder.Key);

    public IEnumerable<SourceFile> All => files.SelectMany(folder => folder);

    public IReadOnlyList<SourceFile> FilesOf(string folder) => [.. files[folder]];

    /// <summary>The folders that one folder needs.</summary>
    public IEnumerable<string> Needs(string folder) => Arrows.Where(arrow => arrow.From == folder).Select(arrow => arrow.To).Distinct();

    /// <summary>The folders that one folder needs, and what those need, and so on.</summary>
    public IReadOnlySet<string> Reach(string folder)
    {
        var reached = new HashSet<string>();
        var next = new Queue<string>(Needs(folder));
        while (next.TryDequeue(out var current))
        {
            if (reached.Add(current))
            {
                foreach (var further in Needs(current))
                {
                    next.Enqueue(further);
                }
            }
        }

        return reached;
    }

    private static IEnumerable<SourceFile> Read(string root) =>
        from path in Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
        let relative = Path.GetRelativePath(root, path).Replace('\\', '/')
        where !relative.Contains("/obj/") && !relative.Contains("/bin/")
        orderby relative
        select new SourceFile(relative, File.ReadAllLines(path));

    private IEnumerable<Arrow> ArrowsOf(SourceFile file) =>
        file.Usings.Select(FolderOf)
            .Concat(Around(file.Folder).Where(outer => declared[outer].Except(declared[file.Folder]).Any(file.Names.Contains)))
            .Concat(file.Names.Where(name => name.Contains('.')).Select(name => Qualified(file.Folder, name)))
            .OfType<string>()
            .Where(folder => folder != file.Folder)
            .Select(folder => new Arrow(file.Folder, folder, file.Path));

    // `using static` and an alias name a type: the folder is the longest beginning that is one.
    private string? FolderOf(string name) =>
        declared.ContainsKey(name) ? name : name.LastIndexOf('.') is > 0 and var dot ? FolderOf(name[..dot]) : null;

    private IEnumerable<string> Around(string folder) =>
        declared.Keys.Where(outer => folder.StartsWith(outer + ".", StringComparison.Ordinal));

    // Without a using, `Options.ExecutorOption` in PerfLab.Runner.Commands is a type of PerfLab.Runner.Commands.Options.
    private string? Qualified(string folder, string name)
    {
        var dot = name.LastIndexOf('.');
        for (var outer = folder; ; outer = outer[..outer.LastIndexOf('.')])
        {
            if (declared.TryGetValue($"{outer}.{name[..dot]}", out var types) && types.Contains(name[(dot + 1)..]))
            {
                return $"{outer}.{name[..dot]}";
            }

            if (!outer.Contains('.'))
            {
                return declared.TryGetValue(name[..dot], out var full) && full.Contains(name[(dot + 1)..]) ? name[..dot] : null;
            }
        }
    }
}
