using PerfLab.Core.Planning.Requests;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// Settings of the .NET runtime that an image brings along in its ENV. A cell sets every knob itself; a heap count or a JIT switch of the
/// Dockerfile's author would come on top of it, unseen.
/// </summary>
internal static class InheritedSettings
{
    // Where things are and what there is to load: programs need it, and it tells the JIT and the GC nothing.
    private static readonly string[] Kept =
        ["DOTNET_ROOT", "DOTNET_VERSION", "DOTNET_RUNNING_IN_CONTAINER", "DOTNET_SYSTEM_GLOBALIZATION_", "DOTNET_BUNDLE_EXTRACT_BASE_DIR", "DOTNET_CLI_", "DOTNET_NOLOGO"];

    /// <summary>Names to remove from the launch's environment: what the image sets, the launch does not, and a runtime would read.</summary>
    /// <param name="image">The image's ENV, "NAME=value".</param>
    /// <param name="launch">Variables of the launch; without knobs the image is left as it is.</param>
    public static IReadOnlyList<string> ToRemove(IEnumerable<string> image, IReadOnlyList<KeyValuePair<string, string>> launch) =>
        KnobSetting.IsIn(launch)
            ? [.. image.Select(text => text.Split('=', 2)[0]).Where(IsSetting).Except(launch.Select(pair => pair.Key), StringComparer.Ordinal).Distinct(StringComparer.Ordinal)]
            : [];

    private static bool IsSetting(string name) =>
        name.StartsWith("COMPlus_", StringComparison.Ordinal)
        || (name.StartsWith("DOTNET_", StringComparison.Ordinal) && !Kept.Any(kept => name.StartsWith(kept, StringComparison.Ordinal)));
}
