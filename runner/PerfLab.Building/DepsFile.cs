using PerfLab.Core.Files;

namespace PerfLab.Building;

/// <summary>.deps.json of a published program: https://github.com/dotnet/sdk/blob/main/documentation/specs/runtime-configuration-file.md</summary>
internal sealed record DepsFile(
    DepsFile.DepsTarget RuntimeTarget, IReadOnlyDictionary<string, IReadOnlyDictionary<string, DepsFile.DepsPart>> Targets,
    IReadOnlyDictionary<string, DepsFile.DepsLibrary> Libraries)
{
    private static readonly FileFormat<DepsFile> Format = new("", "a .deps.json") { IsForeign = true };

    /// <summary>The parts that are not the runtime's, "name/version" each; empty when the file can't be read.</summary>
    public static IReadOnlyList<KeyValuePair<string, DepsPart>> Parts(string file) =>
        Format.Read(File.ReadAllBytes(file)).Value is { } deps && deps.Targets.GetValueOrDefault(deps.RuntimeTarget.Name) is { } target
            ? [.. target.Where(part => deps.Libraries.GetValueOrDefault(part.Key)?.Type is not "runtimepack")] : [];

    internal sealed record DepsTarget(string Name);

    /// <param name="Runtime">Path of each assembly, which lies in the program's folder by its file name.</param>
    /// <param name="Dependencies">Name of each part that it needs.</param>
    internal sealed record DepsPart(IReadOnlyDictionary<string, JsonElement>? Runtime = null, IReadOnlyDictionary<string, JsonElement>? Dependencies = null);

    internal sealed record DepsLibrary(string? Type = null);
}
