namespace PerfLab.Core.Model;

/// <summary>The dimension `env.NAME`: a variable of the launched program.</summary>
public static class EnvironmentName
{
    public const string Prefix = "env.";

    private static readonly string[] RuntimePrefixes = ["DOTNET_", "COMPlus_"];

    public static bool Is(string dimension) => dimension.StartsWith(Prefix, StringComparison.Ordinal);

    /// <summary>The runtime's setting that a variable is ("GCHeapCount" of "DOTNET_GCHeapCount"), of which it may say what it made; null of
    /// others.</summary>
    public static string? Setting(string variable) =>
        RuntimePrefixes.FirstOrDefault(prefix => variable.StartsWith(prefix, StringComparison.OrdinalIgnoreCase)) is { } found
            ? variable[found.Length..] : null;
}
