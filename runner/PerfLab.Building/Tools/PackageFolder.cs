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

    /// <summary>Every version of a package that lies there whole, in no order.</summary>
    public static IEnumerable<string> Versions(string folder, string id) => Path.Combine(folder, id.ToLowerInvariant()) is var package && Directory.Exists(package)
        ? Directory.EnumerateDirectories(package).Select(version => Path.GetFileName(version)).Where(version => Holds(folder, id, version))
        : [];
}
