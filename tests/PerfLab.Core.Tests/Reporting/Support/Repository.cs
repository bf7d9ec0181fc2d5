namespace PerfLab.Core.Tests.Reporting.Support;

/// <summary>Files of the repository that tests read: found upwards from the test's own folder.</summary>
internal static class Repository
{
    /// <summary>Folders whose files nobody here wrote, or wrote for a test.</summary>
    public static readonly string[] NotOurs = ["node_modules", "bin", "obj", ".git", ".perf-lab", "fixtures"];

    public static string Root { get; } = FindRoot(AppContext.BaseDirectory);

    /// <summary>Every page of Markdown that somebody reads, from the root, in their order.</summary>
    public static IEnumerable<string> Pages => Markdown(Root).Select(path => Path.GetRelativePath(Root, path)).Order();

    public static string Read(string path) => File.ReadAllText(Path.Combine(Root, path));

    private static string FindRoot(string folder) =>
        File.Exists(Path.Combine(folder, "perf-lab.sln"))
            ? folder
            : FindRoot(Path.GetDirectoryName(folder) ?? throw new InvalidOperationException("no perf-lab.sln above the tests"));

    private static IEnumerable<string> Markdown(string folder) => Directory.EnumerateFiles(folder, "*.md")
        .Concat(Directory.EnumerateDirectories(folder).Where(inner => !NotOurs.Contains(Path.GetFileName(inner))).SelectMany(Markdown));
}
