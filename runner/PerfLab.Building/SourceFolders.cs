namespace PerfLab.Building;

/// <summary>Which folders below a project hold what people wrote.</summary>
public static class SourceFolders
{
    private static readonly string[] Made = ["bin", "obj", ".git", ".perf-lab", ".vs", "node_modules", "TestResults"];

    /// <summary>False for what builds, tools and the lab make, and for a link, which leads elsewhere.</summary>
    public static bool IsOne(DirectoryInfo folder) => !Made.Contains(folder.Name, StringComparer.Ordinal) && folder.LinkTarget is null;
}
