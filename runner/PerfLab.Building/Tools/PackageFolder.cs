namespace PerfLab.Building.Tools;

/// <summary>NuGet's folder of unpacked packages.</summary>
internal static class PackageFolder
{
    /// <summary>Where it is unless a nuget.config moves it; there it would only mean that a pack is tried instead of seen.</summary>
    public static string Global() => Environment.GetEnvironmentVariable("NUGET_PACKAGES") is { Length: > 0 } configured
        ? configured
        : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    /// <summary>True when a package version lies there, whole: NuGet writes the metadata file last.</summary>
    public static bool Holds(string folder, string id, string version) =>
        File.Exists(Path.Combine(folder, id.ToLowerInvariant(), version, ".nupkg.metadata"));
}
