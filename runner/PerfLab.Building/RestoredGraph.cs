using PerfLab.Core.Files;

namespace PerfLab.Building;

/// <summary>What is known of a package that NuGet did not find, beside NuGet's own words.</summary>
internal sealed record PackageSurroundings
{
    /// <summary>Id -> the versions that there are, the newest first; empty where nobody can say.</summary>
    public Func<string, IReadOnlyList<string>> Versions { get; init; } = _ => [];

    /// <summary>Id -> the packages that need it, "Akka.Cluster.Sharding 1.5.73"; empty when it is the project itself.</summary>
    public Func<string, IReadOnlyList<string>> NeededBy { get; init; } = _ => [];
}

/// <summary>
/// The packages that NuGet had found when it gave up: it writes project.assets.json all the same, and its error does not say who needs what
/// is missing. Null members and files of another shape are passed over.
/// </summary>
/// <param name="Targets">Target -> "Akka.Cluster.Sharding/1.5.73" -> what it needs.</param>
internal sealed record RestoredGraph(IReadOnlyDictionary<string, IReadOnlyDictionary<string, RestoredLibrary>>? Targets = null)
{
    private static FileFormat<RestoredGraph> Format { get; } = new("", "a project.assets.json") { IsForeign = true };

    /// <summary>The packages of a build that need another, "Akka.Cluster.Sharding 1.5.73", each once.</summary>
    /// <param name="artifacts">Where its projects keep obj.</param>
    /// <param name="id">Of the package that is missing.</param>
    public static IReadOnlyList<string> NeededBy(string artifacts, string id) => !Directory.Exists(artifacts) ? [] :
    [
        .. Directory.EnumerateFiles(artifacts, "project.assets.json", SearchOption.AllDirectories).Order(StringComparer.Ordinal)
            .SelectMany(file => Format.Read(File.ReadAllBytes(file)).Value?.Targets?.Values ?? [])
            .SelectMany(target => target)
            .Where(library => library.Value.Type == "package"
                && library.Value.Dependencies?.Keys.Contains(id, StringComparer.OrdinalIgnoreCase) == true)
            .Select(library => library.Key.Replace('/', ' ')).Distinct(StringComparer.Ordinal),
    ];
}

/// <param name="Type">"package" or "project".</param>
/// <param name="Dependencies">Id -> range of versions.</param>
internal sealed record RestoredLibrary(string? Type = null, IReadOnlyDictionary<string, JsonElement>? Dependencies = null);
