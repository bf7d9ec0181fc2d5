namespace PerfLab.Core.Model;

/// <summary>A runtime as it was asked for, with the patch that will be measured.</summary>
/// <param name="Asked">As written: "net8.0", "net8.0.30".</param>
/// <param name="Release">Target framework: "net8.0".</param>
/// <param name="Patch">"8.0.33".</param>
/// <param name="Unavailable">Why it is not available here, or null.</param>
public sealed record ResolvedRuntime(string Asked, string Release, string Patch, string? Unavailable)
{
    /// <summary>Whether a patch was named, and not just a release: then no other one will do.</summary>
    public bool IsExactPatch => Asked != Release;

    /// <summary>The word in files: "net8.0.33".</summary>
    public string Name => Release.StartsWith("netcoreapp", StringComparison.Ordinal) ? "netcoreapp" + Patch : "net" + Patch;

    /// <summary>"net8.0.33" or "net8.0" -> "net8.0": the way back from <see cref="Name"/>.</summary>
    public static string ReleaseOf(string name) => string.Join('.', name.Split('.').Take(2));
}
