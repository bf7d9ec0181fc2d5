namespace PerfLab.Core.Tests.Reporting.Support;

/// <summary>Files of the repository that tests read: found upwards from the test's own folder.</summary>
internal static class Repository
{
    public static string Root { get; } = FindRoot(AppContext.BaseDirectory);

    public static string Read(string path) => File.ReadAllText(Path.Combine(Root, path));

    private static string FindRoot(string folder) =>
        File.Exists(Path.Combine(folder, "perf-lab.sln"))
            ? folder
            : FindRoot(Path.GetDirectoryName(folder) ?? throw new InvalidOperationException("no perf-lab.sln above the tests"));
}
