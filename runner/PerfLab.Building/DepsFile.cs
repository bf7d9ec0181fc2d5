using PerfLab.Core.Files;

namespace PerfLab.Building;

/// <summary>
/// A published program's .deps.json, as far as it is used
/// (https://github.com/dotnet/sdk/blob/main/documentation/specs/runtime-configuration-file.md). It may come from a machine that ran
/// strangers' code.
/// </summary>
/// <param name="Targets">Target -> library, "Newtonsoft.Json/13.0.3" -> what it brings.</param>
/// <param name="Libraries">Library -> what kind it is.</param>
internal sealed record DepsFile(
    RuntimeTarget RuntimeTarget, IReadOnlyDictionary<string, IReadOnlyDictionary<string, TargetLibrary>> Targets,
    IReadOnlyDictionary<string, Library> Libraries)
{
    private static FileFormat<DepsFile> Format { get; } = new("", "a .deps.json") { IsForeign = true };

    /// <summary>What the program is made of; empty where nothing says so.</summary>
    public IReadOnlyDictionary<string, TargetLibrary> Program =>
        Targets.GetValueOrDefault(RuntimeTarget.Name) ?? new Dictionary<string, TargetLibrary>(StringComparer.Ordinal);

    /// <summary>Null when there is no such file, or it can't be read: one that is a link or too large is not looked into.</summary>
    public static DepsFile? Read(string path) => new FileInfo(path) is { Exists: true, LinkTarget: null } file
        && file.Length <= Format.MostBytes ? Format.Read(File.ReadAllBytes(path)).Value : null;

    /// <summary>The parts that are not the runtime's, "name/version" each; empty when the file can't be read.</summary>
    public static IReadOnlyList<KeyValuePair<string, TargetLibrary>> Parts(string file) =>
        Read(file) is { } deps
            ? [.. deps.Program.Where(part => deps.Libraries.GetValueOrDefault(part.Key)?.Type is not "runtimepack")] : [];
}

internal sealed record RuntimeTarget(string Name);

/// <param name="Runtime">Path of each assembly, which lies in the program's folder by its file name -> its versions.</param>
/// <param name="Dependencies">Name of each part that it needs -> version.</param>
internal sealed record TargetLibrary(
    IReadOnlyDictionary<string, JsonElement>? Runtime = null, IReadOnlyDictionary<string, JsonElement>? Dependencies = null);

/// <param name="Type">"package", "project", "runtimepack".</param>
internal sealed record Library(string? Type = null);
