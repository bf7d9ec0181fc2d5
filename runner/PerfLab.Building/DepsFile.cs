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
    RuntimeTarget RuntimeTarget, IReadOnlyDictionary<string, IReadOnlyDictionary<string, TargetLibrary>> Targets, IReadOnlyDictionary<string, Library> Libraries)
{
    public static FileFormat<DepsFile> Format { get; } = new("", "a .deps.json") { IsForeign = true };

    /// <summary>What the program is made of; empty where nothing says so.</summary>
    public IReadOnlyDictionary<string, TargetLibrary> Program =>
        Targets.GetValueOrDefault(RuntimeTarget.Name) ?? new Dictionary<string, TargetLibrary>(StringComparer.Ordinal);
}

internal sealed record RuntimeTarget(string Name);

/// <param name="Runtime">Path of an assembly in the package -> its versions.</param>
/// <param name="Dependencies">Id -> version.</param>
internal sealed record TargetLibrary(
    IReadOnlyDictionary<string, JsonElement>? Runtime = null, IReadOnlyDictionary<string, JsonElement>? Dependencies = null);

/// <param name="Type">"package", "project", "runtimepack".</param>
internal sealed record Library(string? Type = null);
